import type { CallContext } from '../../driver.ts';
import { observeMemberIds } from '../model/chats/channel-members.ts';
import { type ChannelRecord, findChannels } from '../model/chats/chats.ts';
import { chats, forgetBansAndInvites } from '../model/chats/forget.ts';
import { CHANNELS, joinedKey } from '../model/chats/keys.ts';
import { channelBox } from '../model/common/keys.ts';
import { dialogsKey, threadsKey } from '../model/conversations/keys.ts';
import { USERNAMES } from '../model/people/keys.ts';
import { findUsers, targetOf } from '../model/people/users.ts';
import { subjects } from './subjects.ts';

// One subject takes so many writes at most.
const ROOM_NEEDED = 130;
const TALKS_AT_ONCE = 50;

/**
 * Ends a channel, and its monoforum, for everybody. What is kept of it goes as far as it fits the commit, all that its members see first.
 * A record stays, by which they see that it is gone.
 */
export async function closeChannel(call: CallContext, channel: ChannelRecord): Promise<void> {
  const [monoforum] = channel.linkedId === null ? [] : await findChannels(call, [channel.linkedId]);
  for (const one of monoforum ? [channel, monoforum] : [channel]) await close(call, one);
  for (const one of monoforum ? [channel, monoforum] : [channel]) await forgetRest(call, one.id);
}

async function close(call: CallContext, channel: ChannelRecord): Promise<void> {
  const { tx } = call;
  const { id, username } = channel;
  tx.expectField(CHANNELS, id, JSON.stringify(channel));
  tx.hset(CHANNELS, id, {
    ...channel,
    about: '',
    username: null,
    linkedId: null,
    callActive: false,
    deleted: true,
  } satisfies ChannelRecord);
  if (username !== null) tx.hdel(USERNAMES, username.toLowerCase());
  for (const [name, type] of subjects.flatMap(({ channelKeys }) => channelKeys?.(id) ?? []))
    tx.del(name, type);
  await forgetBansAndInvites(call, id);
  const talks = channel.kind === 'monoforum' ? await listTalks(call, id) : [];
  for (const user of await findUsers(call, [...new Set([...(await observeMemberIds(call, id)), ...talks])])) {
    if (!user) continue;
    tx.srem(joinedKey(user.id), id);
    tx.zrem(dialogsKey(user.id), `c${id}`);
    if (!user.deleted) tx.update(targetOf(user), { _: 'updateChannel', channelId: id });
  }
}

// Who only writes to a monoforum is no member of it.
async function listTalks({ tx }: CallContext, id: number): Promise<number[]> {
  const threads = await tx.read.zrevrange(tx.key(threadsKey(channelBox(id), `c${id}`)), 0, TALKS_AT_ONCE - 1);
  return threads.map((thread) => Number(thread.slice(1)));
}

async function forgetRest(call: CallContext, id: number): Promise<void> {
  for (const { forgetChannel } of subjects.filter((subject) => subject !== chats)) {
    if (call.tx.room < ROOM_NEEDED) return;
    await forgetChannel?.(call, id);
  }
}
