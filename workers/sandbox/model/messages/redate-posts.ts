import type { CallContext } from '../../../driver.ts';
import { findTopAfter } from '../boxes/find-top-after.ts';
import { historyKey } from '../boxes/keys.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { findMember } from '../chats/chats.ts';
import { channelBox, type Thread } from '../common/keys.ts';
import { dialogsKey, threadsKey } from '../conversations/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';

/** Moves a channel in its members' dialogs to the date of its newest message after these are deleted. */
export async function redateDialogs(
  call: CallContext,
  { id, key, channel }: ChannelPeer,
  posts: FoundMessage[],
  members: number[],
): Promise<void> {
  const top = await findTopAfter(call, channelBox(id), historyKey(0, key), posts);
  if (top === undefined) return;
  const date = top?.message.date ?? channel.date;
  for (const userId of members) call.tx.zadd(dialogsKey(userId), date, key);
}

/** Moves a thread among the channel's threads in the same way; a thread without messages ends. */
export async function redateThread(
  call: CallContext,
  { id, key, channel }: ChannelPeer,
  thread: Thread,
  group: FoundMessage[],
): Promise<void> {
  const { tx } = call;
  const top = await findTopAfter(call, channelBox(id), historyKey(0, key, thread), group);
  if (top === undefined) return;
  const lists: [string, Thread][] = [[threadsKey(channelBox(id), key), thread]];
  // A writer who does not administer the monoforum has this thread as a dialog.
  const userId = channel.kind === 'monoforum' ? Number(thread.slice(1)) : null;
  if (userId !== null && !isAdmin(await findMember(call, id, userId))) lists.push([dialogsKey(userId), key]);
  for (const [name, member] of lists) {
    if (top) tx.zadd(name, top.message.date, member);
    else tx.zrem(name, member);
  }
}
