import type { CallContext } from '../../../driver.ts';

/**
 *   due                 sorted set: work that calls have left for later -> from when on it is to be done, in seconds. Its members:
 *                       `U` for the first scheduled message of U; `ban:C:U` for the end of a ban; and what is left to remove:
 *                       `left:U:C:<cursor>` after U has left channel C with threads, `closed:C` after C was deleted,
 *                       `deleted:U` after the account of U was deleted
 */
export const DUE = 'due';

// By then, the call has committed or failed.
const NOT_BEFORE_S = 10;

/** Puts work that is not finished behind all that has become due meanwhile, such as scheduled messages. */
export function letOthersGoFirst({ tx, date }: CallContext, work: string): void {
  tx.zadd(DUE, date, work);
}

/** Schedules work that is done after the call's commit. */
export async function postponeWork(call: CallContext, what: string): Promise<void> {
  const date = call.date + NOT_BEFORE_S;
  call.tx.zadd(DUE, date, what);
  await call.wakeAt?.(date);
}
