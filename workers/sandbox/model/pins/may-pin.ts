import { type CallContext, MessengerError } from '../../../driver.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { requireGroupRight } from '../chats/group-members.ts';
import { isAllowed } from '../chats/rights.ts';
import type { Peer } from '../peers/peer.ts';

/**
 * Throws unless the calling account may pin messages of a conversation; in a channel, the commit fails if it may no longer. Errors:
 * `CHAT_ADMIN_REQUIRED` in channels, `CHAT_WRITE_FORBIDDEN`, `PIN_RESTRICTED` in monoforums, `INPUT_USER_DEACTIVATED`.
 */
export function requirePinRight(call: CallContext, peer: Peer): void {
  if (peer.kind === 'user' && peer.user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  if (peer.kind === 'chat') requireGroupRight(call, peer.chat, 'pinMessages');
  if (peer.kind !== 'channel') return;
  const { channel, member } = peer;
  if (channel.kind === 'monoforum') throw new MessengerError('PIN_RESTRICTED');
  if (!member) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  const right = channel.kind === 'broadcast' ? 'editMessages' : 'pinMessages';
  if (!isAllowed(member, right)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  expectOwnMember(call, peer);
}
