import type { CallContext } from '../../../driver.ts';
import { CHATS } from '../chats/keys.ts';
import type { Peer } from './peer.ts';

/** The commit fails if the members of a basic group, or what they may do, have changed since it was found. */
export function expectMembers({ tx }: CallContext, peer: Peer): void {
  if (peer.kind === 'chat' && peer.raw !== undefined) tx.expectField(CHATS, peer.id, peer.raw);
}
