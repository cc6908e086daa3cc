import type { tl } from '@mtcute/core';
import type { MethodName, MethodResult, TlJson } from '../../tl/tl-json.ts';

type RawParams<Name extends MethodName> = tl.FindByName<tl.RpcMethod, Name>;

/** The names of the `randomId`s of a method that are derived if they are left out. Others are bytes, or an `int`. */
type DerivedIds<Raw> = Raw extends { randomId: tl.Long | tl.Long[] } ? 'randomId' : never;

type SentItems<Items> = Items extends readonly (infer Item)[]
  ? (Omit<TlJson<Item>, 'randomId'> & { randomId?: string })[]
  : never;

type ParamsOf<Raw> = {
  [Key in keyof Raw as Exclude<Key, '_' | DerivedIds<Raw>>]: Key extends 'multiMedia'
    ? SentItems<Raw[Key]>
    : TlJson<Raw[Key]>;
} & { [Key in DerivedIds<Raw>]?: TlJson<Raw[Key & keyof Raw]> };

/** The params of a method as a caller gives them: without `_`, and a `randomId` may be left out. */
export type CallParams<Name extends MethodName> = ParamsOf<RawParams<Name>>;

type Shown<Result> = Result extends boolean
  ? { _: 'boolTrue' | 'boolFalse' }
  : Result extends readonly (infer Item)[]
    ? { _: 'vector'; items: Item[] }
    : Result;

/** The result of a method as a caller gets it: always an object with `_`. */
export type CallResult<Name extends MethodName> = Shown<MethodResult<Name>>;
