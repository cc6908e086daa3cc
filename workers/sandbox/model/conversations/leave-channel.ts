import type { CallContext } from '../../../driver.ts';
import { countMembershipChange } from '../chats/channel-members.ts';
import type { MemberRecord } from '../chats/chats.ts';
import { joinedKey, membersKey } from '../chats/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { forgetLeftChannel } from './forgetting/forget-user.ts';

/** Removes a user from a channel, with its data of the channel; the commit fails if the membership has changed by then. */
export async function removeMember(
  call: CallContext,
  peer: ChannelPeer,
  user: UserRecord,
  member: MemberRecord,
): Promise<void> {
  const { tx } = call;
  const { id } = peer;
  tx.expectField(membersKey(id), user.id, JSON.stringify(member));
  tx.hdel(membersKey(id), user.id);
  tx.srem(joinedKey(user.id), id);
  countMembershipChange(call, id);
  await forgetLeftChannel(call, user.id, peer);
  if (!user.deleted) tx.update(targetOf(user), { _: 'updateChannel', channelId: id });
}
