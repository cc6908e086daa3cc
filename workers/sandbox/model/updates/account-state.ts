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

// Older conversations are not counted.
const COUNTED_MAX = 1_000;
// Reading this many takes Redis and this process longer than a whole call of most methods.
const LARGE = 50;

async function readUnreadTotal(call: CallContext): Promise<number> {
  const latest = await readDialogs(call, 0, LARGE - 1);
  const counts =
    latest.length < LARGE
      ? await readCounts(call, latest)
      : await largeReads.run(call.workspaceId, async () => [
          ...(await readCounts(call, latest)),
          ...(await readCounts(call, await readOthers(call, latest))),
        ]);
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

// Some may have moved since the latest ones were read.
async function readOthers(call: CallContext, latest: PeerKey[]): Promise<PeerKey[]> {
  const known = new Set(latest);
  return (await readDialogs(call, 0, COUNTED_MAX - 1)).filter((key) => !known.has(key));
}

async function readDialogs({ tx, account }: CallContext, first: number, last: number): Promise<PeerKey[]> {
  return (await tx.read.zrevrange(tx.key(dialogsKey(account.userId)), first, last)) as PeerKey[];
}

async function readCounts({ tx, account }: CallContext, dialogs: PeerKey[]): Promise<(string | null)[]> {
  if (dialogs.length === 0) return [];
  const fields = dialogs.map((key) => unreadCounter(account.userId, { key })[1]);
  return tx.read.hmget(tx.key(SEQ), ...fields);
}
