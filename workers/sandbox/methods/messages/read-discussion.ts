import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import type { FoundMessage } from '../../model/boxes/messages.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { arePresent } from '../../model/conversations/message-readers.ts';
import { readUpTo, readUpToDifference } from '../../model/conversations/read-up-to.ts';
import { GENERAL_TOPIC_ID, threadOfTopic } from '../../model/conversations/topics.ts';
import { noteSeen } from '../../model/conversations/unread-state.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { findUsers, getSelf, targetOf } from '../../model/people/users.ts';

/**
 * Marks a forum's topic as read up to a message (0: to its end), and notifies the senders. Errors: `PEER_ID_INVALID` if it is not a forum,
 * `CHANNEL_PRIVATE` for one that the account is not in, `MSG_ID_INVALID`.
 */
export const readDiscussion = defineMethod('messages.readDiscussion', async (params, call) => {
  if (params.readMaxId < 0) throw new MessengerError('MSG_ID_INVALID');
  const [peer, self] = await Promise.all([resolvePeer(call, params.peer), getSelf(call)]);
  const thread = await threadOfTopic(call, peer, params.msgId);
  if (thread === undefined || peer.kind !== 'channel') throw new MessengerError('PEER_ID_INVALID');
  if (!peer.member) throw new MessengerError('CHANNEL_PRIVATE');
  // How far it has read would stay behind if it left meanwhile.
  expectOwnMember(call, peer);
  const outcome = await readUpTo(call, peer, params.readMaxId, thread);
  if (!outcome) return true;
  call.tx.update(targetOf(self), {
    _: 'updateReadChannelDiscussionInbox',
    channelId: peer.id,
    topMsgId: params.msgId,
    readMaxId: outcome.maxId,
  });
  await notifySenders(call, peer, params.msgId, outcome.newest);
  return true;
});

async function notifySenders(
  call: CallContext,
  peer: ChannelPeer,
  topMsgId: number,
  newest: readonly FoundMessage[],
): Promise<void> {
  const { id: channelId, key } = peer;
  const read = newest.flatMap(({ message: { id, fromId } }) =>
    fromId?._ === 'peerUser' ? [{ userId: fromId.userId, readMaxId: id }] : [],
  );
  const senders = read.map(({ userId }) => userId);
  const [users, present] = await Promise.all([findUsers(call, senders), arePresent(call, peer, senders)]);
  await Promise.all(
    read.map(async ({ userId, readMaxId }, i) => {
      const user = users[i];
      // What is noted of somebody who has left would stay.
      if (!user || user.deleted || !present[i]) return;
      if (!(await noteSeen(call, userId, { key, thread: `t${topMsgId}` }, readMaxId))) return;
      const update = { _: 'updateReadChannelDiscussionOutbox', channelId, topMsgId, readMaxId } as const;
      call.tx.update(targetOf(user), update);
    }),
  );
}

export const example: Example<'messages.readDiscussion'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  msgId: GENERAL_TOPIC_ID,
  readMaxId: 1,
});

export const difference = readUpToDifference;
