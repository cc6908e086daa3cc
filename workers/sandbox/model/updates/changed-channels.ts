import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findMember } from '../chats/chats.ts';
import { changedField, joinDateField, joinedKey } from '../chats/keys.ts';
import { type PeerKey, SEQ } from '../common/keys.ts';
import { dialogsKey } from '../conversations/keys.ts';

const DIALOGS_MAX = 1_000;
// A change is dated when its call begins to run: others may see a later date before it is committed.
const TOLERANCE_S = 30;
// Those who join at once may be recorded in another order than that of their dates.
const DISORDER_S = 60;

type TooLong = TlJson<tl.RawUpdateChannelTooLong>;

/**
 * The calling account's channels that have changed since a time, or that it has joined since. A channel has its own `pts`, and its changes
 * are requested from the channel. Those of up to 30 seconds before may be known already.
 */
export async function findChangedChannels(call: CallContext, date: number): Promise<TooLong[]> {
  const { tx, account } = call;
  const since = date - TOLERANCE_S;
  const [joined, dialogs] = await Promise.all([
    tx.read.smembers(tx.key(joinedKey(account.userId))),
    tx.read.zrevrange(tx.key(dialogsKey(account.userId)), 0, DIALOGS_MAX - 1),
  ]);
  // A user who only writes to a monoforum is not a member, but has it among its dialogs.
  const written = dialogs.filter((key) => key.startsWith('c')).map((key) => key.slice(1));
  const ids = [...new Set([...joined, ...written].map(Number))].sort((a, b) => a - b);
  if (ids.length === 0) return [];
  const keys = ids.map((id): PeerKey => `c${id}`);
  const [posted, changed, counted, joinDates] = await Promise.all([
    tx.read.zmscore(tx.key(dialogsKey(account.userId)), ...keys),
    tx.read.hmget(tx.key(SEQ), ...ids.map(changedField)),
    tx.read.hmget(tx.key(SEQ), ...keys.map((key) => `pts:${key}`)),
    tx.read.hmget(tx.key(SEQ), ...ids.map(joinDateField)),
  ]);
  const isQuiet = ids.map((_, i) => Math.max(Number(posted[i] ?? 0), Number(changed[i] ?? 0)) < since);
  // No message of a broadcast channel tells that a member has joined.
  const mayHaveJoined = ids.map((_, i) => isQuiet[i] && Number(joinDates[i] ?? 0) >= since - DISORDER_S);
  const members = await Promise.all(
    ids.map((id, i) => (mayHaveJoined[i] ? findMember(call, id, account.userId) : null)),
  );
  return ids.flatMap((channelId, i) => {
    const hasJoined = (members[i]?.date ?? 0) >= since;
    return isQuiet[i] && !hasJoined
      ? []
      : [{ _: 'updateChannelTooLong', channelId, pts: Number(counted[i] ?? 0) }];
  });
}
