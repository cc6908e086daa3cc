import { type CallContext, MessengerError } from '../../../driver.ts';
import { CHANNELS, CHATS } from '../chats/keys.ts';
import type { Peer } from './peer.ts';

/** Throws `CHAT_FORWARDS_RESTRICTED` for a group or channel that protects its messages; the commit fails if it does so by then. */
export function refuseProtected({ tx }: CallContext, peer: Peer): void {
  if (peer.kind === 'user') return;
  const [records, record] = peer.kind === 'chat' ? [CHATS, peer.chat] : [CHANNELS, peer.channel];
  if (record.noforwards) throw new MessengerError('CHAT_FORWARDS_RESTRICTED');
  tx.expectField(records, peer.id, JSON.stringify(record));
}
