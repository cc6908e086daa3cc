import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { topicsKey } from '../../model/conversations/keys.ts';
import { observePinnedTopics, readPinnedTopics } from '../../model/conversations/pinned-topics.ts';
import { findTopics } from '../../model/conversations/topic-records.ts';
import { requireTopicPinRight, setPinnedTopics } from '../../model/forums/pin-topics.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

const PINNED_MAX = 5;

/**
 * Pins a topic of a forum, or unpins it. Errors: `CHAT_ADMIN_REQUIRED`, `TOPIC_ID_INVALID`, `TOPIC_NOT_MODIFIED`,
 * `PINNED_DIALOGS_TOO_MUCH` beyond five.
 */
export const updatePinnedForumTopic = defineMethod(
  'messages.updatePinnedForumTopic',
  async ({ peer: input, topicId, pinned }, call) => {
    const peer = await resolveForum(call, input);
    requireTopicPinRight(call, peer);
    const [before, [topic]] = await Promise.all([
      observePinnedTopics(call, peer.id),
      findTopics(call, peer, [topicId]),
      // The pin of a topic that is deleted meanwhile could not be removed any more.
      call.tx.observe(topicsKey(peer.id), topicId),
    ]);
    if (!topic) throw new MessengerError('TOPIC_ID_INVALID');
    if (before.includes(topicId) === pinned) throw new MessengerError('TOPIC_NOT_MODIFIED');
    if (pinned && before.length >= PINNED_MAX) throw new MessengerError('PINNED_DIALOGS_TOO_MUCH');
    const others = before.filter((id) => id !== topicId);
    return setPinnedTopics(call, peer, pinned ? [topicId, ...others] : others, {
      _: 'updatePinnedForumTopic',
      ...(pinned ? { pinned } : {}),
      peer: { _: 'peerChannel', channelId: peer.id },
      topicId,
    });
  },
);

export const example: Example<'messages.updatePinnedForumTopic'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  topicId: 1,
  pinned: !(await readPinnedTopics(context.call, context.ids.forumId)).includes(1),
});
