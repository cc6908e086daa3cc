import type { CallContext } from '../../driver.ts';
import { readPts } from './pts.ts';
import { unreadKey, userBox } from './state-keys.ts';

/** The state of the calling account's updates: its `pts` and how many messages it has not read. */
export async function readAccountState(call: CallContext) {
  const { userId } = call.account;
  const [pts, unread] = await Promise.all([
    readPts(call, userBox(userId)),
    call.tx.read.hgetall(call.tx.key(unreadKey(userId))),
  ]);
  // Fields with a colon are of threads, or say how far something was read.
  const counts = Object.entries(unread).filter(([field]) => !field.includes(':'));
  const unreadCount = counts.reduce((sum, [, count]) => sum + Number(count), 0);
  return { _: 'updates.state' as const, pts, qts: 0, date: call.date, seq: 0, unreadCount };
}
