import type { CallContext } from '../../../driver.ts';
import { observeMemberIds } from '../chats/channel-members.ts';
import type { Thread } from '../common/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { findUsers, type UserRecord } from '../people/users.ts';

/**
 * Everybody who sees the messages of a channel, or of a thread of it: in a monoforum its user and the administrators. The commit fails if
 * a member joins or leaves meanwhile.
 */
export async function readersOf(
  call: CallContext,
  { id, channel, member }: ChannelPeer,
  thread: Thread | undefined,
  { memberIds }: { memberIds?: readonly number[] } = {},
): Promise<UserRecord[]> {
  const ids = memberIds ? [...memberIds] : await observeMemberIds(call, id);
  if (channel.kind === 'monoforum') {
    const userId = Number(thread?.slice(1));
    if (!ids.includes(userId)) ids.push(userId);
    if (!member && !ids.includes(call.account.userId)) ids.push(call.account.userId);
  }
  const found = await findUsers(call, ids);
  return found.filter((user): user is UserRecord => user !== null && !user.deleted);
}
