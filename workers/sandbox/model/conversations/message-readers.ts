import type { CallContext } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { userBox } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';
import type { TlPeer } from '../peers/tl-peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { findUsers, type UserRecord } from '../people/users.ts';
import { readersOf } from './channel-readers.ts';
import { findPresentCopies } from './present-copies.ts';

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
