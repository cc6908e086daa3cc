import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findCopies, type StoredMessage } from '../boxes/messages.ts';
import { membersKey } from '../chats/keys.ts';
import { type Box, userBox } from '../common/keys.ts';
import type { ChannelPeer, Peer } from '../peers/peer.ts';
import { type TlPeer, toTlPeer } from '../peers/tl-peer.ts';
import { findUsers, type UserRecord } from '../people/users.ts';
import { readersOf } from './channel-readers.ts';

/** A user who can read a message, and the peer and id under which it does. */
export interface MessageReader {
  user: UserRecord;
  peer: TlPeer;
  msgId: number;
}

/** The users of a conversation who can read a message of it, the calling account included. */
export async function listMessageReaders(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
): Promise<MessageReader[]> {
  if (peer.kind === 'channel') {
    const readers = await readersOf(call, peer, found.thread);
    return readers.map((user) => ({ user, peer: toTlPeer(peer), msgId: found.message.id }));
  }
  const [copies = {}] = await findPresentCopies(call, peer, [found]);
  // A user's box is named `u` and the user's id.
  const users = await findUsers(
    call,
    Object.keys(copies).map((box) => Number(box.slice(1))),
  );
  return users.flatMap((user) => {
    const msgId = user ? copies[userBox(user.id)] : undefined;
    return user && msgId !== undefined ? [{ user, peer: peerFor(call, peer, user.id), msgId }] : [];
  });
}

// In a private chat, each side's peer is the other user.
function peerFor(call: CallContext, peer: Peer, userId: number): TlPeer {
  const self = call.account.userId;
  return toTlPeer(peer.kind === 'user' && userId !== self ? { kind: 'user', id: self } : peer);
}

/**
 * The ids of each message's copies, by box. Copies of users who have left the basic group are not among them: these users keep their
 * copies, but get no more updates about them.
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

/**
 * Whether each of these users is still in a channel: one who has left gets no updates about its messages. In a monoforum everyone is, as it
 * has no members. The commit fails if one joins or leaves meanwhile.
 */
export function arePresent(
  { tx }: CallContext,
  { id, channel }: Pick<ChannelPeer, 'id' | 'channel'>,
  userIds: readonly number[],
): Promise<boolean[]> {
  return Promise.all(
    userIds.map(
      async (userId) => channel.kind === 'monoforum' || (await tx.observe(membersKey(id), userId)) !== null,
    ),
  );
}
