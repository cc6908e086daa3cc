import type { CallContext } from '../../driver.ts';
import { observeMemberIds } from '../model/chats/channel-members.ts';
import { type ChannelRecord, findChannels } from '../model/chats/chats.ts';
import { chats, forgetCounters } from '../model/chats/forget.ts';
import { CHANNELS, CLOSING, joinedKey, membersKey } from '../model/chats/keys.ts';
import { DUE, leaveForLater } from '../model/common/due.ts';
import { channelBox } from '../model/common/keys.ts';
import { type Closing, conversations, forgetThreads, forgetUsers } from '../model/conversations/forget.ts';
import { dialogsKey, threadsKey } from '../model/conversations/keys.ts';
import { endCallsOf } from '../model/group-calls/forget.ts';
import { USERNAMES } from '../model/people/keys.ts';
import { findUsers, targetOf } from '../model/people/users.ts';
import { subjects } from './subjects.ts';

// The most writes that one subject takes.
const ROOM_NEEDED = 130;
const TALKS_AT_ONCE = 50;

/**
 * Ends a channel and its monoforum for everybody, with their running calls. Removes their data as far as it fits the commit; the rest is
 * left for later. A record stays, so that its members see that it was deleted.
 */
export async function closeChannel(call: CallContext, channel: ChannelRecord): Promise<void> {
  const [monoforum] = channel.linkedId === null ? [] : await findChannels(call, [channel.linkedId]);
  const both = monoforum ? [channel, monoforum] : [channel];
  const all: [number, Closing][] = [];
  for (const one of both) all.push([one.id, { userIds: await close(call, one), cursor: '0' }]);
  for (const [id, closing] of all) {
    if (await forgetClosed(call, id, closing)) continue;
    call.tx.hset(CLOSING, id, closing);
    await leaveForLater(call, `closed:${id}`);
  }
}

/** Continues work that was left for later. */
export async function closeFurther(call: CallContext, work: string): Promise<void> {
  const { tx } = call;
  const [, id = ''] = work.split(':');
  const raw = await tx.observe(CLOSING, id);
  const closing = raw === null ? null : (JSON.parse(raw) as Closing);
  if (closing && !(await forgetClosed(call, Number(id), closing))) {
    tx.hset(CLOSING, id, closing);
    return;
  }
  tx.hdel(CLOSING, id);
  tx.zrem(DUE, work);
}

// Ends one channel. Returns its members, and for a monoforum its writers.
async function close(call: CallContext, channel: ChannelRecord): Promise<number[]> {
  const { tx } = call;
  const { id, username } = channel;
  tx.expectField(CHANNELS, id, JSON.stringify(channel));
  const gone = { about: '', username: null, linkedId: null, callActive: false, deleted: true } as const;
  tx.hset(CHANNELS, id, { ...channel, ...gone } satisfies ChannelRecord);
  if (username !== null) tx.hdel(USERNAMES, username.toLowerCase());
  await endCallsOf(call, `c${id}`);
  const talks = channel.kind === 'monoforum' ? await listTalks(call, id) : [];
  const users = await findUsers(call, [...new Set([...(await observeMemberIds(call, id)), ...talks])]);
  tx.del(membersKey(id), 'h');
  for (const user of users) {
    if (!user) continue;
    tx.srem(joinedKey(user.id), id);
    tx.zrem(dialogsKey(user.id), `c${id}`);
    if (!user.deleted) tx.update(targetOf(user), { _: 'updateChannel', channelId: id });
  }
  return users.flatMap((user) => user?.id ?? []);
}

// Users who only write to a monoforum are no members of it.
async function listTalks({ tx }: CallContext, id: number): Promise<number[]> {
  const threads = await tx.read.zrevrange(tx.key(threadsKey(channelBox(id), `c${id}`)), 0, TALKS_AT_ONCE - 1);
  return threads.map((thread) => Number(thread.slice(1)));
}

// Returns whether that was all.
async function forgetClosed(call: CallContext, id: number, closing: Closing): Promise<boolean> {
  if (!(await forgetUsers(call, id, closing))) return false;
  for (const { forgetChannel } of subjects.filter((one) => one !== chats && one !== conversations)) {
    if (call.tx.writesLeft < ROOM_NEEDED) return false;
    if (forgetChannel && !(await forgetChannel(call, id))) return false;
  }
  if (call.tx.writesLeft < ROOM_NEEDED || !(await forgetThreads(call, id))) return false;
  if (call.tx.writesLeft < ROOM_NEEDED) return false;
  for (const [name, type] of subjects.flatMap(({ channelKeys }) => channelKeys?.(id) ?? []))
    call.tx.del(name, type);
  await forgetCounters(call, id);
  return true;
}
