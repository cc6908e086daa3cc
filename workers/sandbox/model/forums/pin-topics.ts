import type { MethodResult, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { toTlChannel } from '../chats/chats.ts';
import { notifyChannel } from '../chats/notify-channel.ts';
import { isAllowed } from '../chats/rights.ts';
import { putPinnedTopics } from '../conversations/pinned-topics.ts';
import { toUpdates } from '../messages/posted-updates.ts';
import type { ChannelPeer } from '../peers/peer.ts';

/** Throws `CHAT_ADMIN_REQUIRED` unless the calling account may pin topics; the commit fails if it may no longer. */
export function requireTopicPinRight(call: CallContext, peer: ChannelPeer): void {
  if (!isAllowed(peer.member, 'manageTopics')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  expectOwnMember(call, peer);
}

/** Replaces the pinned topics of a forum, and notifies its members with this update. */
export async function setPinnedTopics(
  call: CallContext,
  { id, channel, member }: ChannelPeer,
  topicIds: readonly number[],
  update: Update,
): Promise<MethodResult<'messages.updatePinnedForumTopic'>> {
  putPinnedTopics(call, id, topicIds);
  await notifyChannel(call, id, update);
  return toUpdates(call, [update], { chat: toTlChannel(channel, call.account.userId, member) });
}
