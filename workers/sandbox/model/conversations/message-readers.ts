import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findCopies, type StoredMessage } from '../boxes/messages.ts';
import { membersKey } from '../chats/keys.ts';
import { type Box, userBox } from '../common/keys.ts';
import type { ChannelPeer, Peer } from '../peers/peer.ts';
import type { TlPeer } from '../peers/tl-peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { findUsers, type UserRecord } from '../people/users.ts';
import { readersOf } from './channel-readers.ts';

/** A user who has a message, with the message's peer and id for that user. */
export interface MessageReader {
  user: UserRecord;
  peer: TlPeer;
  msgId: number;
}

/** Everybody in a conversation who has a message of it, the calling account included. */
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
  const boxes = Object.keys(copies) as (keyof typeof copies)[];
  const users = await findUsers(
    call,
    boxes.map((box) => Number(box.slice(1))),
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

/**
 * Whether each of these users is still in a channel, or may write to a monoforum: who has left hears nothing of its messages. The commit
 * fails if one joins or leaves meanwhile.
 */
export function arePresent(
  { tx }: CallContext,
  { id, channel }: ChannelPeer,
  userIds: readonly number[],
): Promise<boolean[]> {
  return Promise.all(
    userIds.map(
      async (userId) => channel.kind === 'monoforum' || (await tx.observe(membersKey(id), userId)) !== null,
    ),
  );
}
