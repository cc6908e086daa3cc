import type { MethodName } from '../../tl/tl-json.ts';
import type { Http } from '../http/http.ts';
import type { AsyncCallOptions, CallOptions } from '../options.ts';
import type { PreparedCall } from './call-answer.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { makeAsyncCall, makeCall } from './make-call.ts';
import { methodTree } from './method-tree.ts';
import type { AsyncMethods, CallMethods, PreparedMethods } from './method-types.ts';

/** A messenger account: `account.messages.sendMessage({…})` makes a call. */
export type Account = CallMethods & {
  /** `account.async.messages.sendMessage({…})` makes an async call. */
  readonly async: AsyncMethods;
  /** `account.prepare.messages.sendMessage({…})` makes a call for a bulk. */
  readonly prepare: PreparedMethods;
};

/** A messenger account of a workspace. */
export function openAccount(http: Http, workspaceId: string, accountId: string): Account {
  const prepare = (method: MethodName, params: object, options: CallOptions): PreparedCall => {
    const { idempotencyKey = newIdempotencyKey() } = options;
    return { workspaceId, accountId, method, params, idempotencyKey };
  };
  const prepareUnscheduled = (method: MethodName, params: object, options: CallOptions) => {
    refuseSchedule(options);
    return prepare(method, params, options);
  };
  const call = async (method: MethodName, params: object, options: CallOptions) =>
    makeCall(http, prepareUnscheduled(method, params, options), options);
  const callAsync = (method: MethodName, params: object, options: AsyncCallOptions) =>
    makeAsyncCall(http, prepare(method, params, options), options);
  const own = {
    async: methodTree<AsyncMethods>({}, callAsync),
    prepare: methodTree<PreparedMethods>({}, prepareUnscheduled),
  };
  return methodTree<Account>(own, call);
}

/** Refuses what the types do not allow: a program that no compiler checks would have its scheduled call made at once. */
function refuseSchedule({ scheduleAt, expiresAt }: AsyncCallOptions): void {
  if (scheduleAt === undefined && expiresAt === undefined) return;
  throw new TypeError('Only a single async call has scheduleAt and expiresAt: make it with account.async.');
}
