import { type CallContext, MessengerError } from '../../../driver.ts';
import { expectOwnRights, isAdmin } from '../chats/channel-members.ts';
import { isAllowed, isForbidden } from '../chats/rights.ts';
import { expectMembers } from './expect-members.ts';
import type { Peer } from './peer.ts';

/**
 * Throws unless the calling account may write to a conversation; the commit fails if it may no longer. Errors: `CHAT_WRITE_FORBIDDEN`,
 * `CHAT_ADMIN_REQUIRED`, `USER_BANNED_IN_CHANNEL`.
 */
export function requireWriteAccess(call: CallContext, peer: Peer): void {
  const { account, date } = call;
  expectMembers(call, peer);
  if (peer.kind === 'chat' && peer.chat.defaultBan?.sendMessages && peer.chat.creatorId !== account.userId)
    throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  if (peer.kind !== 'channel' || peer.channel.kind === 'monoforum') return;
  const { channel, member } = peer;
  if (!member) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  expectOwnRights(call, peer);
  requirePostingRight(peer);
  if (isForbidden(member.ban, 'sendMessages', date)) throw new MessengerError('USER_BANNED_IN_CHANNEL');
  if (channel.defaultBan?.sendMessages && !isAdmin(member)) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
}

/** Throws `CHAT_ADMIN_REQUIRED` if only administrators post to a conversation, and the calling account may not. */
export function requirePostingRight(peer: Peer): void {
  if (peer.kind !== 'channel' || peer.channel.kind !== 'broadcast') return;
  if (!isAllowed(peer.member, 'postMessages')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
}
