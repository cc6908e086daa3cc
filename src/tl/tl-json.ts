import type { tl } from '@mtcute/core';

/** A TL value in JSON: a `Long` is a decimal string, bytes are base64, and mtcute's own constructors are left out. */
export type TlJson<T> = T extends tl.Long | Uint8Array
  ? string
  : T extends readonly (infer Item)[]
    ? TlJson<Item>[]
    : T extends { _: `mtcute.${string}` }
      ? never
      : T extends object
        ? { [Key in keyof T]: TlJson<T[Key]> }
        : T;

/** The name of a TL method with its namespace. Those that only wrap another call, and those of mtcute, cannot be called. */
export type MethodName = Exclude<
  keyof tl.RpcCallReturn,
  `invoke${string}` | 'initConnection' | `mtcute.${string}`
>;

/** The params of a method as its handler gets them: validated, and with every `randomId` filled in. */
export type MethodParams<Name extends MethodName> = Omit<TlJson<tl.FindByName<tl.RpcMethod, Name>>, '_'>;

/**
 * The return value of a method's handler, which `toResult` turns into the documented result object: a boolean for a Bool, an array for a
 * vector, otherwise the TL object. Unset `true` flags may be left out.
 */
export type MethodResult<Name extends MethodName> = TlJson<tl.RpcCallReturn[Name]>;

/** An update as it is in an entry of the update stream. */
export type Update = TlJson<tl.TypeUpdate>;

/** The kind of an update on the stream: mtcute's name for its type, such as `RawUpdateReadMessagesContents`. */
export function updateKind({ _: constructorName }: { _: string }): string {
  return `Raw${constructorName.charAt(0).toUpperCase()}${constructorName.slice(1)}`;
}
