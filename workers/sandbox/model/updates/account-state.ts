import type { CallContext } from '../../../driver.ts';
import { largeReads } from '../../../turns/large-reads.ts';
import { type PeerKey, SEQ, userBox } from '../common/keys.ts';
import { readPts } from '../common/pts.ts';
import { dialogsKey } from '../conversations/keys.ts';
import { unreadCounter } from '../conversations/unread-state.ts';

/** The state of the calling account's updates: its `pts` and `qts`, and how many messages of its 1,000 latest conversations it has not read. */
export async function readAccountState(call: CallContext) {
  const { userId } = call.account;
  const { tx } = call;
  const [pts, qts, unreadCount] = await Promise.all([
    readPts(call, userBox(userId)),
    tx.read.hget(tx.key(SEQ), `qts:${userBox(userId)}`),
    readUnreadTotal(call),
  ]);
  return { _: 'updates.state' as const, pts, qts: Number(qts ?? 0), date: call.date, seq: 0, unreadCount };
}

// Conversations that nothing has come to for longer are not counted.
const COUNTED_MAX = 1_000;
// From this many on, Redis is busy for longer than with a whole call of most methods.
const LARGE = 50;

async function readUnreadTotal(call: CallContext): Promise<number> {
  const { tx, account } = call;
  const dialogs = (await tx.read.zrevrange(
    tx.key(dialogsKey(account.userId)),
    0,
    COUNTED_MAX - 1,
  )) as PeerKey[];
  if (dialogs.length === 0) return 0;
  const read = () => {
    const fields = dialogs.map((key) => unreadCounter(account.userId, { key })[1]);
    return tx.read.hmget(tx.key(SEQ), ...fields);
  };
  const counts = await (dialogs.length < LARGE ? read() : largeReads.run(call.workspaceId, read));
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
}
