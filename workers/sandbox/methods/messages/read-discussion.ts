import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { readUpTo } from '../../model/conversations/read-up-to.ts';
import { GENERAL_TOPIC_ID, threadOfTopic } from '../../model/conversations/topics.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { getSelf, targetOf } from '../../model/people/users.ts';

/** Marks a forum's topic as read up to a message (0: to its end). Errors: `PEER_ID_INVALID` if it is not a forum, `MSG_ID_INVALID`. */
export const readDiscussion = defineMethod('messages.readDiscussion', async (params, call) => {
  if (params.readMaxId < 0) throw new MessengerError('MSG_ID_INVALID');
  const [peer, self] = await Promise.all([resolvePeer(call, params.peer), getSelf(call)]);
  const thread = await threadOfTopic(call, peer, params.msgId);
  if (thread === undefined || peer.kind !== 'channel') throw new MessengerError('PEER_ID_INVALID');
  const outcome = await readUpTo(call, peer, params.readMaxId, thread);
  if (!outcome) return true;
  call.tx.update(targetOf(self), {
    _: 'updateReadChannelDiscussionInbox',
    channelId: peer.id,
    topMsgId: params.msgId,
    readMaxId: outcome.maxId,
  });
  return true;
});

export const example: Example<'messages.readDiscussion'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  msgId: GENERAL_TOPIC_ID,
  readMaxId: 1,
});
