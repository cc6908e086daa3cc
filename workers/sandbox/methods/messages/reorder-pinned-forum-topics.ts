import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { observePinnedTopics, readPinnedTopics } from '../../model/conversations/pinned-topics.ts';
import { requireTopicPinRight, setPinnedTopics } from '../../model/forums/pin-topics.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

/**
 * Reorders the pinned topics of a forum. Topics that are not named come last, or are unpinned with `force`. Errors: `CHAT_ADMIN_REQUIRED`,
 * `TOPIC_ID_INVALID` for a topic that is not pinned.
 */
export const reorderPinnedForumTopics = defineMethod(
  'messages.reorderPinnedForumTopics',
  async ({ peer: input, order: asked, force }, call) => {
    const peer = await resolveForum(call, input);
    requireTopicPinRight(call, peer);
    const before = await observePinnedTopics(call, peer.id);
    // Of more than there are, one is unknown.
    const named = new Set(firstDistinct(asked, before.length + 1));
    for (const id of named) if (!before.includes(id)) throw new MessengerError('TOPIC_ID_INVALID');
    const order = [...named, ...(force ? [] : before.filter((id) => !named.has(id)))];
    return setPinnedTopics(call, peer, order, {
      _: 'updatePinnedForumTopics',
      peer: { _: 'peerChannel', channelId: peer.id },
      ...(order.length > 0 ? { order } : {}),
    });
  },
);

export const example: Example<'messages.reorderPinnedForumTopics'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  order: (await readPinnedTopics(context.call, context.ids.forumId)).toReversed(),
});
