import type { CallContext } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { observeMemberIds } from '../chats/channel-members.ts';
import { forgetUnread } from '../conversations/forget.ts';
import { topicsKey } from '../conversations/keys.ts';
import { observePinnedTopics, putPinnedTopics } from '../conversations/pinned-topics.ts';
import type { ChannelPeer } from '../peers/peer.ts';

const RESERVED = 20;
// The writes for each member: its read state of the topic, and the date of its dialog.
const WRITES_OF_MEMBER = 4;
const WRITES_EACH = 8;

/** Ends a topic together with its last messages. False if both do not fit one commit: then nothing is done. */
export async function endTopic(
  call: CallContext,
  { id, key }: ChannelPeer,
  topicId: number,
  last: readonly FoundMessage[],
): Promise<boolean> {
  const [memberIds, pinned] = await Promise.all([observeMemberIds(call, id), observePinnedTopics(call, id)]);
  const ofMessages = last.reduce((sum, { mentions = [] }) => sum + WRITES_EACH + 2 * mentions.length, 0);
  if (RESERVED + WRITES_OF_MEMBER * (memberIds.length + 1) + ofMessages > call.tx.writesLeft) return false;
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
