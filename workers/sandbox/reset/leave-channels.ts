import type { CallContext } from '../../driver.ts';
import { countMembershipChange, observeMemberIds } from '../model/chats/channel-members.ts';
import { type ChannelRecord, findChannels } from '../model/chats/chats.ts';
import { joinedKey, membersKey } from '../model/chats/keys.ts';
import { channelBox, SEQ } from '../model/common/keys.ts';
import { threadsKey } from '../model/conversations/keys.ts';
import { leaveCallsOf } from '../model/group-calls/leave-call.ts';
import { findUsers } from '../model/people/users.ts';
import type { Leaver } from './leaver.ts';
import { subjects } from './subjects.ts';

const WRITES_NEEDED = 130;
const CHANNELS_AT_ONCE = 40;
const WRITERS_SCANNED = 100;

/**
 * Removes a user from its channels, unless it stays a member, and removes channels in which no other account is a member (or, for a
 * monoforum, has written). Does the same for the channels of `seeded`, even if the user is not in them. False if there is more than fits a
 * commit.
 */
export async function leaveChannels(
  call: CallContext,
  { userId, staysMember }: Leaver,
  seeded: readonly number[],
): Promise<boolean> {
  const { tx } = call;
  const joined = (await tx.read.smembers(tx.key(joinedKey(userId)))).map(Number);
  const ids = [...new Set([...joined, ...seeded])];
  const some = ids.slice(0, CHANNELS_AT_ONCE + seeded.length);
  const found = await findChannels(call, some);
  for (const [i, id] of some.entries()) {
    if (tx.writesLeft < WRITES_NEEDED) return false;
    const channel = found[i] ?? null;
    const isKept = !channel || (await isUsedByOthers(call, channel, userId));
    if (!isKept) {
      if (!(await forgetChannel(call, id))) return false;
    } else if (joined.includes(id) && !staysMember) {
      tx.hdel(membersKey(id), userId);
      countMembershipChange(call, id);
    }
    if (joined.includes(id)) tx.srem(joinedKey(userId), id);
    // Many are notified of a call: another commit has room for the next one.
    if (isKept && (await leaveCallsOf(call, `c${id}`, userId))) return false;
  }
  return ids.length === some.length;
}

/** Whether the channel exists and other accounts are in it. */
export async function isChannelUsed(call: CallContext, channelId: number, userId: number): Promise<boolean> {
  const [channel] = await findChannels(call, [channelId]);
  return channel ? isUsedByOthers(call, channel, userId) : false;
}

// A channel and its monoforum are kept or removed together.
async function isUsedByOthers(call: CallContext, channel: ChannelRecord, userId: number): Promise<boolean> {
  const [linked] = channel.linkedId === null ? [] : await findChannels(call, [channel.linkedId]);
  const both = linked ? [channel, linked] : [channel];
  const ids = (await Promise.all(both.map((one) => listUsers(call, one)))).flat();
  const users = await findUsers(call, [...new Set(ids)]);
  return users.some((user) => user !== null && user.accountId !== null && user.id !== userId);
}

// The commit fails if somebody joins or writes meanwhile.
async function listUsers(call: CallContext, { id, kind }: ChannelRecord): Promise<number[]> {
  const members = await observeMemberIds(call, id);
  if (kind !== 'monoforum') return members;
  await call.tx.observe(SEQ, `msg:${channelBox(id)}`);
  const name = call.tx.key(threadsKey(channelBox(id), `c${id}`));
  const threads = await call.tx.read.zrange(name, '0', String(WRITERS_SCANNED - 1));
  return [...members, ...threads.map((thread) => Number(thread.slice(1)))];
}

async function forgetChannel(call: CallContext, channelId: number): Promise<boolean> {
  for (const { forgetChannel: forget, channelKeys } of subjects) {
    if (call.tx.writesLeft < WRITES_NEEDED) return false;
    if (forget && !(await forget(call, channelId))) return false;
    for (const [name, type] of channelKeys?.(channelId) ?? []) call.tx.del(name, type);
  }
  return true;
}
