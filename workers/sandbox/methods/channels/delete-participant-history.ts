import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel, peerUser } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { type FoundMessage, findMessages } from '../../model/boxes/messages.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import { channelBox, SEQ } from '../../model/common/keys.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { sentKey } from '../../model/conversations/keys.ts';
import { removePosts } from '../../model/messages/remove-posts.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel, resolvePeer } from '../../model/peers/resolve-peer.ts';

const AT_ONCE = 100;
// How many of the user's messages, and of the channel's, are read.
const SCANNED_MAX = 1_000;

/**
 * Deletes a user's messages in a supergroup, newest first; `offset` says how many are left. Errors: `CHAT_ADMIN_REQUIRED`,
 * `PARTICIPANT_ID_INVALID`, `CHANNEL_INVALID` for a channel that is not a supergroup.
 */
export const deleteParticipantHistory = defineMethod(
  'channels.deleteParticipantHistory',
  async (params, call) => {
    const { tx } = call;
    const [peer, user] = await Promise.all([
      resolveChannel(call, params.channel),
      resolvePeer(call, params.participant),
    ]);
    if (peer.channel.kind !== 'megagroup') throw new MessengerError('CHANNEL_INVALID');
    if (user.kind !== 'user') throw new MessengerError('PARTICIPANT_ID_INVALID');
    if (!isAllowed(peer.member, 'deleteMessages')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    expectOwnMember(call, peer);
    const [total, written] = await Promise.all([
      tx.read.zcard(tx.key(sentKey(user.id, peer.key))),
      findWritten(call, peer, user.id),
    ]);
    const removed = await removePosts(call, peer, written.posts.slice(0, AT_ONCE));
    const left = written.posts.length - removed;
    const isDone = removed === 0 || (left === 0 && written.isWhole);
    return {
      _: 'messages.affectedHistory',
      pts: tx.allocate(SEQ, `pts:${channelBox(peer.id)}`, 0),
      ptsCount: removed,
      offset: isDone ? 0 : Math.max(1, left, total - removed),
    };
  },
);

/** A user's messages, newest first: as many as are deleted at once, and whether these are all. */
async function findWritten(
  call: CallContext,
  { id, key }: ChannelPeer,
  userId: number,
): Promise<{ posts: FoundMessage[]; isWhole: boolean }> {
  const budget = pageBudget();
  const posts = new Map<number, FoundMessage>();
  // The list of a user's messages is removed when the user leaves.
  for (const name of [sentKey(userId, key), historyKey(0, key)]) {
    for (let start = 0; start < SCANNED_MAX; start += AT_ONCE) {
      const ids = await call.tx.read.zrevrange(call.tx.key(name), start, start + AT_ONCE - 1);
      const found = await findMessages(call, channelBox(id), ids, budget);
      for (const one of found) if (one && isBy(one, userId)) posts.set(one.message.id, one);
      if (posts.size > AT_ONCE || budget.left < 0) return { posts: [...posts.values()], isWhole: false };
      if (ids.length < AT_ONCE) break;
    }
  }
  return { posts: [...posts.values()], isWhole: true };
}

// The first message of a channel or a topic is kept.
function isBy({ message, authorId }: FoundMessage, userId: number): boolean {
  if (message._ !== 'message') return false;
  return authorId === userId || (message.fromId?._ === 'peerUser' && message.fromId.userId === userId);
}

// Other examples need the account's own messages.
export const example: Example<'channels.deleteParticipantHistory'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  participant: await peerUser(context, 'friendId'),
});

export const difference =
  'At most 100 messages, fewer if they are very long; no service messages; of somebody who had left, those among the newest 1,000.';
