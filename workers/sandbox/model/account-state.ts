import type { CallContext } from '../../driver.ts';
import { readPts } from './pts.ts';
import { dialogsKey, type PeerKey, userBox } from './state-keys.ts';
import { readUnreadCounts } from './unread-state.ts';

/** The state of the calling account's updates: its `pts` and how many messages it has not read. */
export async function readAccountState(call: CallContext) {
  const { userId } = call.account;
  const [pts, unreadCount] = await Promise.all([readPts(call, userBox(userId)), readUnreadTotal(call)]);
  return { _: 'updates.state' as const, pts, qts: 0, date: call.date, seq: 0, unreadCount };
}

async function readUnreadTotal(call: CallContext): Promise<number> {
  const { tx, account } = call;
  const dialogs = (await tx.read.zrange(tx.key(dialogsKey(account.userId)), '0', '-1')) as PeerKey[];
  const counts = await readUnreadCounts(
    call,
    dialogs.map((key) => ({ key })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
