import type { CallContext } from '../../../driver.ts';

/**
 *   due                 sorted set: what calls have left for later -> from when on it is to be done, in seconds: U whose first scheduled
 *                       message is to be sent then, `left:U:C:<cursor>` of a channel that U has left with many threads, `closed:C` of one
 *                       that was deleted, `deleted:U` of a user whose account was deleted,
 *                       `ban:C:U` of a ban that ends then
 */
export const DUE = 'due';

// By then, the call has committed or failed.
const NOT_BEFORE_S = 10;

/** Schedules work that is done after the call's commit. */
export async function postponeWork(call: CallContext, what: string): Promise<void> {
  const date = call.date + NOT_BEFORE_S;
  call.tx.zadd(DUE, date, what);
  await call.wakeAt?.(date);
}
