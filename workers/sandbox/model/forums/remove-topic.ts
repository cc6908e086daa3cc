import type { CallContext } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { observeMemberIds } from '../chats/channel-members.ts';
import { forgetUnread } from '../conversations/forgetting/forget-user.ts';
import { topicsKey } from '../conversations/keys.ts';
import { observePinnedTopics, putPinnedTopics } from '../conversations/pinned-topics.ts';
import { canRemoveAll } from '../messages/remove-posts.ts';
import type { ChannelPeer } from '../peers/peer.ts';

// How many writes remove a member's read state of the topic.
const WRITES_OF_MEMBER = 3;
// How many writes remove the topic and its pin.
const WRITES_OF_TOPIC = 2;

/**
 * Removes a topic and its members' read state of it, in the commit that removes its last messages. `messages` are all that are left,
 * `reacted` the ids of those with reactions. Returns false, and does nothing, if the commit has no room for all of that.
 */
export async function removeTopic(
  call: CallContext,
  peer: ChannelPeer,
  topicId: number,
  { messages, reacted }: { messages: FoundMessage[]; reacted: ReadonlySet<number> },
): Promise<boolean> {
  const { id, key } = peer;
  const [memberIds, pinned] = await Promise.all([observeMemberIds(call, id), observePinnedTopics(call, id)]);
  const members = memberIds.length;
  const otherWrites = WRITES_OF_MEMBER * members + WRITES_OF_TOPIC;
  if (!canRemoveAll(call, messages, { members, reacted, otherWrites })) return false;
  for (const userId of memberIds) forgetUnread(call, userId, { key, thread: `t${topicId}` });
  call.tx.hdel(topicsKey(id), topicId);
  if (pinned.includes(topicId))
    putPinnedTopics(
      call,
      id,
      pinned.filter((one) => one !== topicId),
    );
  return true;
}
