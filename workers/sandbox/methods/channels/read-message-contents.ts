import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { consumedKey, historyKey } from '../../model/boxes/keys.ts';
import { type FoundMessage, findMessages } from '../../model/boxes/messages.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { channelBox } from '../../model/common/keys.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { mentionsKey } from '../../model/conversations/keys.ts';
import { arePresent } from '../../model/conversations/message-readers.ts';
import { isShownIn } from '../../model/messages/get-message.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { findUser, targetOf } from '../../model/people/users.ts';
import { hasListeners } from '../../model/reactions/forget-viewers.ts';

// Each takes up to four writes.
const IDS_MAX = 100;

/**
 * Marks voice messages, videos and mentions of a supergroup as consumed by the account, and notifies the senders of messages that nobody
 * had consumed before. Messages that are consumed already, are the account's own or do not exist are ignored. Error: `RESULTS_TOO_MUCH` for
 * more than 4 MiB.
 */
export const readMessageContents = defineMethod('channels.readMessageContents', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  const ids = firstDistinct(params.id, IDS_MAX);
  if (ids.length === 0) return true;
  const { tx, account } = call;
  const mentions = mentionsKey(account.userId, peer.key);
  const budget = pageBudget();
  const [found, consumed, mentioned] = await Promise.all([
    findMessages(call, channelBox(peer.id), ids, budget),
    areConsumed(call, peer, ids, account.userId),
    tx.read.zmscore(tx.key(mentions), ...ids.map(String)),
  ]);
  refuseOverBudget(budget);
  const unread = ids.flatMap((_, i) => {
    const one = found[i];
    if (!one || !isShownIn(call, peer, one) || authorOf(one) === account.userId) return [];
    const unheard = hasListeners(one.message) && !consumed[i];
    const unseen = mentioned[i] !== null;
    return unheard || unseen ? [{ one, unheard, unseen }] : [];
  });
  if (unread.length === 0) return true;
  for (const { one, unheard, unseen } of unread) {
    if (unheard) consume(call, peer, one, account.userId);
    if (unseen) forgetMention(call, peer, one);
  }
  notify(
    call,
    peer,
    unread.map(({ one }) => one),
    { id: account.userId, accountId: account.id },
  );
  await notifyAuthors(
    call,
    peer,
    unread.filter(({ unheard }) => unheard).map(({ one }) => one),
  );
  return true;
});

async function areConsumed(
  { tx }: CallContext,
  { id }: ChannelPeer,
  ids: number[],
  userId: number,
): Promise<boolean[]> {
  const areMembers = await Promise.all(
    ids.map((msgId) => tx.read.sismember(tx.key(consumedKey({ channelId: id, msgId })), String(userId))),
  );
  return areMembers.map((is) => is === 1);
}

function consume({ tx }: CallContext, peer: ChannelPeer, { message }: FoundMessage, userId: number): void {
  const name = consumedKey({ channelId: peer.id, msgId: message.id });
  // A mark of a message that is deleted meanwhile would stay behind.
  tx.expectScore(historyKey(0, peer.key), message.id, message.id);
  tx.expectMember(name, userId, false);
  tx.sadd(name, userId);
}

function forgetMention(
  { tx, account }: CallContext,
  { key }: ChannelPeer,
  { message, thread }: FoundMessage,
) {
  const { id } = message;
  tx.expectScore(mentionsKey(account.userId, key), id, id);
  tx.zrem(mentionsKey(account.userId, key), id);
  if (thread !== undefined) tx.zrem(mentionsKey(account.userId, key, thread), id);
}

// An author has one flag for all listeners: the first of them clears it.
async function notifyAuthors(call: CallContext, peer: ChannelPeer, heard: FoundMessage[]): Promise<void> {
  const authorIds = new Set(heard.map(authorOf).filter((id) => id !== null));
  await Promise.all(
    [...authorIds].map((authorId) =>
      notifyAuthor(
        call,
        peer,
        authorId,
        heard.filter((one) => authorOf(one) === authorId),
      ),
    ),
  );
}

async function notifyAuthor(
  call: CallContext,
  peer: ChannelPeer,
  authorId: number,
  heard: FoundMessage[],
): Promise<void> {
  const ids = heard.map(({ message }) => message.id);
  const [author, consumed, [isPresent]] = await Promise.all([
    findUser(call, authorId),
    areConsumed(call, peer, ids, authorId),
    arePresent(call, peer, [authorId]),
  ]);
  const first = heard.filter((_, i) => !consumed[i]);
  // What is noted of somebody who has left would stay.
  if (!author || !isPresent || first.length === 0) return;
  for (const one of first) consume(call, peer, one, authorId);
  notify(call, peer, first, author);
}

function notify(
  call: CallContext,
  { id }: ChannelPeer,
  read: FoundMessage[],
  user: { id: number; accountId: string | null },
): void {
  const update: Update = {
    _: 'updateChannelReadMessagesContents',
    channelId: id,
    messages: read.map(({ message }) => message.id),
  };
  call.tx.update(targetOf(user), update);
}

function authorOf({ authorId, message }: FoundMessage): number | null {
  return authorId ?? (message.fromId?._ === 'peerUser' ? message.fromId.userId : null);
}

export const example: Example<'channels.readMessageContents'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  id: [1],
});

export const difference = 'Only the first 100 count; name others in another call.';
