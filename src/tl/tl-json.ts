import type { tl } from '@mtcute/core';

/** A TL value as it is in JSON: a `Long` is a decimal string, bytes are base64, everything else is itself. */
export type TlJson<T> = T extends tl.Long | Uint8Array
  ? string
  : T extends readonly (infer Item)[]
    ? TlJson<Item>[]
    : T extends object
      ? { [Key in keyof T]: TlJson<T[Key]> }
      : T;

type Returns = tl.RpcCallReturn;

/** The full name of a callable TL method. */
export type MethodName = Exclude<
  Extract<keyof Returns, string>,
  `invoke${string}` | 'initConnection' | `mtcute.${string}`
>;

/** The params of a method, as its handler gets them. */
export type MethodParams<Name extends MethodName> = Omit<TlJson<tl.FindByName<tl.RpcMethod, Name>>, '_'>;

/** What a method's handler returns; `toResult` makes the documented result object of it. */
export type MethodResult<Name extends MethodName> = TlJson<Returns[Name]>;

/** An update as TL has it. */
export type Update = TlJson<tl.TypeUpdate>;

/** The kind of an update on the stream: mtcute's type name, such as `RawUpdateReadMessagesContents`. */
export function updateKind(update: { _: string }): string {
  return `Raw${update._.charAt(0).toUpperCase()}${update._.slice(1)}`;
}
