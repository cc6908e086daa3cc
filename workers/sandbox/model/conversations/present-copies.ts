import type { CallContext } from '../../../driver.ts';
import { findCopies, type StoredMessage } from '../boxes/messages.ts';
import { CHATS } from '../chats/keys.ts';
import { type Box, userBox } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';

/**
 * Ids of the copies of each of these messages by box, without the copies of users who are no longer in the basic group: they keep what they
 * had, and hear nothing of what happens to it.
 */
export async function findPresentCopies(
  call: CallContext,
  peer: Peer,
  messages: readonly StoredMessage[],
): Promise<Record<Box, number>[]> {
  const copies = await findCopies(call, messages);
  if (peer.kind !== 'chat') return copies;
  const present = new Set<string>(peer.chat.members.map(({ userId }) => userBox(userId)));
  return copies.map((ids) => Object.fromEntries(Object.entries(ids).filter(([box]) => present.has(box))));
}

/** The commit fails if the members of a basic group have changed since it was found. */
export function expectMembers({ tx }: CallContext, peer: Peer): void {
  if (peer.kind === 'chat' && peer.raw !== undefined) tx.expectField(CHATS, peer.id, peer.raw);
}
