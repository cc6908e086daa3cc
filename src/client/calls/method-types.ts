import type { MethodName } from '../../tl/tl-json.ts';
import type { MethodErrors } from '../methods.ts';
import type { AsyncCallOptions, CallOptions } from '../options.ts';
import type { AsyncCall } from './async-call.ts';
import type { CallAnswer, PreparedCall } from './call-answer.ts';
import type { CallParams } from './call-types.ts';

/** The arguments of a method: its params may be left out if none is required. */
export type CallArguments<Name extends MethodName, Options> =
  Record<never, never> extends CallParams<Name>
    ? [params?: CallParams<Name>, options?: Options]
    : [params: CallParams<Name>, options?: Options];

type Named<Namespace, Method> = Extract<`${Namespace & string}.${Method & string}`, MethodName>;

type CallMethod<Name extends MethodName> = (
  ...args: CallArguments<Name, CallOptions>
) => Promise<CallAnswer<Name>>;

type AsyncMethod<Name extends MethodName> = (
  ...args: CallArguments<Name, AsyncCallOptions>
) => Promise<AsyncCall<Name>>;

type PreparedMethod<Name extends MethodName> = (
  ...args: CallArguments<Name, Pick<CallOptions, 'idempotencyKey'>>
) => PreparedCall<Name>;

/** Methods that make a call and return its answer. */
export type CallMethods = {
  readonly [Namespace in keyof MethodErrors]: {
    readonly [Method in keyof MethodErrors[Namespace]]: CallMethod<Named<Namespace, Method>>;
  };
};

/** Methods that make an async call. */
export type AsyncMethods = {
  readonly [Namespace in keyof MethodErrors]: {
    readonly [Method in keyof MethodErrors[Namespace]]: AsyncMethod<Named<Namespace, Method>>;
  };
};

/** Methods that only prepare a call for a bulk. */
export type PreparedMethods = {
  readonly [Namespace in keyof MethodErrors]: {
    readonly [Method in keyof MethodErrors[Namespace]]: PreparedMethod<Named<Namespace, Method>>;
  };
};
