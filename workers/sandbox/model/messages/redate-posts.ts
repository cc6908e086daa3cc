import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { findMember } from '../chats/chats.ts';
import { channelBox, SEQ, type Thread } from '../common/keys.ts';
import { dialogsKey, threadsKey } from '../conversations/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';

/** Puts a channel among its members' dialogs where its newest message belongs once these are gone. */
export async function redateDialogs(
  call: CallContext,
  { id, key, channel }: ChannelPeer,
  posts: FoundMessage[],
  members: number[],
): Promise<void> {
  const top = await findTopAfter(call, id, historyKey(0, key), posts);
  if (top === undefined) return;
  const date = top?.message.date ?? channel.date;
  for (const userId of members) call.tx.zadd(dialogsKey(userId), date, key);
}

/** The same for a thread of it, among its threads; a thread without messages ends. */
export async function redateThread(
  call: CallContext,
  { id, key, channel }: ChannelPeer,
  thread: Thread,
  group: FoundMessage[],
): Promise<void> {
  const { tx } = call;
  const top = await findTopAfter(call, id, historyKey(0, key, thread), group);
  if (top === undefined) return;
  const lists: [string, Thread][] = [[threadsKey(channelBox(id), key), thread]];
  // Who writes to a monoforum, and does not run it, has this thread as a dialog.
  const userId = channel.kind === 'monoforum' ? Number(thread.slice(1)) : null;
  if (userId !== null && !isAdmin(await findMember(call, id, userId))) lists.push([dialogsKey(userId), key]);
  for (const [name, member] of lists) {
    if (top) tx.zadd(name, top.message.date, member);
    else tx.zrem(name, member);
  }
}

// The newest message of a list once these are gone, null if none is left; undefined where the newest stays.
async function findTopAfter(
  call: CallContext,
  channelId: number,
  name: string,
  gone: FoundMessage[],
): Promise<FoundMessage | null | undefined> {
  const { tx } = call;
  const box = channelBox(channelId);
  const removed = new Set(gone.map(({ message }) => String(message.id)));
  // The count is read first: what arrives between the two reads has raised it by the commit.
  const counting = tx.read.hget(tx.key(SEQ), `msg:${box}`);
  const listing = untilSent().then(() => tx.read.zrevrange(tx.key(name), 0, gone.length));
  const [last, newest] = await Promise.all([counting, listing]);
  const remaining = newest.find((other) => !removed.has(other));
  // What is the newest then has to be there still.
  if (remaining !== undefined) tx.expectScore(name, remaining, remaining);
  if (!removed.has(newest[0] ?? '')) return undefined;
  // Nothing may have arrived meanwhile.
  tx.expectField(SEQ, `msg:${box}`, last);
  const [top = null] = remaining === undefined ? [] : await findMessages(call, box, [remaining]);
  return top;
}
