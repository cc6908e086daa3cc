import type { FieldError } from '../../problem.ts';
import { invalidBody, readMembers } from './call-body.ts';
import { IDEMPOTENCY_KEY_MAX } from './idempotency-key.ts';

/** The most calls in a bulk. */
export const BULK_CALLS_MAX = 100;

/** The most characters of an account's id or a method's name. */
export const NAME_MAX = 100;

const NAME_NEEDED = `A text of at most ${NAME_MAX} characters is needed.`;

/** A call of a bulk, as it is in the body: account, method and params have yet to be found and validated. */
export interface BulkCall {
  accountId: string;
  method: string;
  params: unknown;
  idempotencyKey: string | null;
}

/** The items of `{calls: […]}`, each of which `readBulkCall` reads. Throws `invalid_body` unless there are 1 to 100. */
export function readBulk(body: unknown): unknown[] {
  const { calls } = readMembers(body, ['calls']);
  if (Array.isArray(calls) && calls.length > 0 && calls.length <= BULK_CALLS_MAX) return calls;
  throw invalidBody([{ pointer: '/calls', detail: `An array of 1 to ${BULK_CALLS_MAX} calls is needed.` }]);
}

/**
 * Reads a call of a bulk. Its account may be named by `accountId`, or by `messengerAccountId` as in other requests. Throws `invalid_body`
 * with pointers relative to the call.
 */
export function readBulkCall(call: unknown): BulkCall {
  // An error about a call that is no object names the first of these.
  const members = readMembers(call, [
    'params',
    'accountId',
    'method',
    'idempotencyKey',
    'messengerAccountId',
  ]);
  const { method, params, idempotencyKey, messengerAccountId } = members;
  const accountId = members.accountId === undefined ? messengerAccountId : members.accountId;
  const errors: FieldError[] = [];
  if (members.accountId !== undefined && messengerAccountId !== undefined)
    errors.push({ pointer: '/messengerAccountId', detail: 'Is another name of `accountId`: leave one out.' });
  if (!isName(accountId)) errors.push({ pointer: '/accountId', detail: NAME_NEEDED });
  if (!isName(method)) errors.push({ pointer: '/method', detail: NAME_NEEDED });
  if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey))
    errors.push({
      pointer: '/idempotencyKey',
      detail: `1 to ${IDEMPOTENCY_KEY_MAX} printable ASCII characters are needed.`,
    });
  if (errors.length > 0) throw invalidBody(errors);
  return {
    accountId: accountId as string,
    method: method as string,
    params,
    idempotencyKey: (idempotencyKey as string | undefined) ?? null,
  };
}

// What the header `Idempotency-Key` can hold as a quoted string.
function isIdempotencyKey(value: unknown): boolean {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.length <= IDEMPOTENCY_KEY_MAX;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= NAME_MAX;
}
