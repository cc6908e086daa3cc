import { untilSent } from '../../../../src/state/batch-reads.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import { channelBox, SEQ, type Thread } from '../../model/common/keys.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { sentKey, threadsKey, topicsKey } from '../../model/conversations/keys.ts';
import { findTopics } from '../../model/conversations/topic-records.ts';
import { GENERAL_TOPIC_ID } from '../../model/conversations/topics.ts';
import { removeTopic } from '../../model/forums/remove-topic.ts';
import { listReacted, removePosts } from '../../model/messages/remove-posts.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

const AT_ONCE = 100;

/**
 * Deletes the messages of a topic, newest first, and with the last of them the topic; `offset` says how many are left. Errors:
 * `TOPIC_ID_INVALID`, `CHAT_ADMIN_REQUIRED` for messages of others.
 */
export const deleteTopicHistory = defineMethod('messages.deleteTopicHistory', async (params, call) => {
  const peer = await resolveForum(call, params.peer);
  const [topic] = await findTopics(call, peer, [params.topMsgId]);
  if (!topic || params.topMsgId === GENERAL_TOPIC_ID) throw new MessengerError('TOPIC_ID_INVALID');
  const thread: Thread = `t${params.topMsgId}`;
  const name = call.tx.key(historyKey(0, peer.key, thread));
  const box = channelBox(peer.id);
  // Read first: a message that arrives meanwhile raises the counter, so that the commit fails.
  const observing = call.tx.observe(SEQ, `msg:${box}`);
  await untilSent();
  const [, total, ids] = await Promise.all([
    observing,
    call.tx.read.zcard(name),
    call.tx.read.zrevrange(name, 0, AT_ONCE - 1),
  ]);
  await requireDeleteRight(call, peer, thread, total);
  const found = (await findMessages(call, box, ids, pageBudget())).filter((one) => one !== null);
  // Read once: a reaction that comes meanwhile may leave no room for a message of a topic that ends.
  const reacted = await listReacted(call, peer, found);
  const isWhole =
    total === found.length && (await removeTopic(call, peer, params.topMsgId, { messages: found, reacted }));
  // Deleting its first message ends the topic.
  const posts = isWhole ? found : found.filter(({ message }) => message.id !== params.topMsgId);
  const removed = await removePosts(call, peer, posts, reacted);
  return {
    _: 'messages.affectedHistory',
    pts: call.tx.allocate(SEQ, `pts:${box}`, 0),
    ptsCount: removed,
    offset: total - removed,
  };
});

async function requireDeleteRight(
  call: CallContext,
  peer: ChannelPeer,
  thread: Thread,
  total: number,
): Promise<void> {
  expectOwnMember(call, peer);
  if (isAllowed(peer.member, 'deleteMessages')) return;
  const own = await call.tx.read.zcard(call.tx.key(sentKey(call.account.userId, peer.key, thread)));
  if (peer.member === null || own < total) throw new MessengerError('CHAT_ADMIN_REQUIRED');
}

export const example: Example<'messages.deleteTopicHistory'> = async (context) => {
  const { tx } = context.call;
  const { forumId } = context.ids;
  const threads = await tx.read.zrevrange(tx.key(threadsKey(channelBox(forumId), `c${forumId}`)), 0, 9);
  const topicIds = threads.map((thread) => Number(thread.slice(1))).filter((id) => id !== GENERAL_TOPIC_ID);
  if (topicIds.length === 0) return null;
  const found = await tx.read.hmget(tx.key(topicsKey(forumId)), ...topicIds.map(String));
  const topMsgId = topicIds.find((_, i) => found[i] !== null);
  return topMsgId === undefined ? null : { peer: await peerChannel(context, 'forumId'), topMsgId };
};

export const difference =
  'At most 100 messages, fewer if they are very long; `offset` says how many are left. Drafts stay.';
