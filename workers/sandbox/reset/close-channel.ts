import type { CallContext } from '../../driver.ts';
import { observeMemberIds } from '../model/chats/channel-members.ts';
import { type ChannelRecord, findChannels } from '../model/chats/chats.ts';
import { chats, forgetCounters } from '../model/chats/forget.ts';
import { CHANNELS, CLOSING, joinedKey, membersKey } from '../model/chats/keys.ts';
import { DUE, letOthersGoFirst, postponeWork } from '../model/common/due.ts';
import { channelBox, SEQ } from '../model/common/keys.ts';
import {
  type Closing,
  conversations,
  forgetThreads,
  forgetUsers,
  forgetWriters,
  listWriters,
} from '../model/conversations/forgetting/forget.ts';
import { dialogsKey } from '../model/conversations/keys.ts';
import { endGroupCallsOf } from '../model/group-calls/forget.ts';
import { USERNAMES } from '../model/people/keys.ts';
import { findUsers, targetOf } from '../model/people/users.ts';
import { subjects } from './subjects.ts';

// The most writes that the removal of one subject takes.
const WRITES_NEEDED = 130;
const WRITERS = 50;

/**
 * Ends a channel and its monoforum for everybody, with their running calls. Removes as much of their data as fits the commit; later work
 * removes the rest. A record stays, so that its members see that it was deleted.
 */
export async function closeChannel(call: CallContext, channel: ChannelRecord): Promise<void> {
  const [monoforum] = channel.linkedId === null ? [] : await findChannels(call, [channel.linkedId]);
  const both = monoforum ? [channel, monoforum] : [channel];
  const all: [number, Closing][] = [];
  for (const one of both) {
    const userIds = await close(call, one);
    const writers = one.kind === 'monoforum' ? { writers: WRITERS } : {};
    all.push([one.id, { userIds, cursor: '0', ...writers }]);
  }
  for (const [id, closing] of all) {
    if (await forgetClosed(call, id, closing)) continue;
    call.tx.hset(CLOSING, id, closing);
    await postponeWork(call, `closed:${id}`);
  }
}

/** Continues postponed work. */
export async function continueClosing(call: CallContext, work: string): Promise<void> {
  const { tx } = call;
  const [, id = ''] = work.split(':');
  const raw = await tx.observe(CLOSING, id);
  const closing = raw === null ? null : (JSON.parse(raw) as Closing);
  if (closing && !(await forgetClosed(call, Number(id), closing))) {
    tx.hset(CLOSING, id, closing);
    letOthersGoFirst(call, work);
    return;
  }
  tx.hdel(CLOSING, id);
  tx.zrem(DUE, work);
}

// Ends one channel. Returns its members, and for a monoforum its newest writers.
async function close(call: CallContext, channel: ChannelRecord): Promise<number[]> {
  const { tx } = call;
  const { id, username } = channel;
  tx.expectField(CHANNELS, id, JSON.stringify(channel));
  const gone = { about: '', username: null, linkedId: null, callActive: false, deleted: true } as const;
  tx.hset(CHANNELS, id, { ...channel, ...gone } satisfies ChannelRecord);
  if (username !== null) tx.hdel(USERNAMES, username.toLowerCase());
  await endGroupCallsOf(call, `c${id}`);
  const writers = channel.kind === 'monoforum' ? await observeWriters(call, id) : [];
  const users = await findUsers(call, [...new Set([...(await observeMemberIds(call, id)), ...writers])]);
  tx.del(membersKey(id), 'h');
  for (const user of users) {
    if (!user) continue;
    tx.srem(joinedKey(user.id), id);
    tx.zrem(dialogsKey(user.id), `c${id}`);
    if (!user.deleted) tx.update(targetOf(user), { _: 'updateChannel', channelId: id });
  }
  return users.flatMap((user) => user?.id ?? []);
}

// Users who only write to a monoforum are not members. Who writes meanwhile would change the order in which the others are listed later.
async function observeWriters(call: CallContext, id: number): Promise<number[]> {
  await call.tx.observe(SEQ, `msg:${channelBox(id)}`);
  return listWriters(call, id, { from: 0, count: WRITERS });
}

// Returns false if there is more to remove.
async function forgetClosed(call: CallContext, id: number, closing: Closing): Promise<boolean> {
  if (!(await forgetUsers(call, id, closing)) || !(await forgetWriters(call, id, closing))) return false;
  for (const { forgetChannel } of subjects.filter((one) => one !== chats && one !== conversations)) {
    if (call.tx.writesLeft < WRITES_NEEDED) return false;
    if (forgetChannel && !(await forgetChannel(call, id))) return false;
  }
  if (call.tx.writesLeft < WRITES_NEEDED || !(await forgetThreads(call, id))) return false;
  if (call.tx.writesLeft < WRITES_NEEDED) return false;
  for (const [name, type] of subjects.flatMap(({ channelKeys }) => channelKeys?.(id) ?? []))
    call.tx.del(name, type);
  await forgetCounters(call, id);
  return true;
}
