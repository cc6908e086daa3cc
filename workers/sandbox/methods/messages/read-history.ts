import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import type { FoundMessage } from '../../model/boxes/messages.ts';
import { type PeerKey, userBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { findPresentCopies } from '../../model/conversations/message-readers.ts';
import { readUpTo, readUpToDifference } from '../../model/conversations/read-up-to.ts';
import { noteSeen } from '../../model/conversations/unread-state.ts';
import { expectMembers } from '../../model/peers/expect-members.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { isMemberOf, resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { notifyOfEvent, notifySelf } from '../../model/people/account-events.ts';
import { findUsers } from '../../model/people/users.ts';

/**
 * Marks a private chat or basic group as read up to a message (0: to its end) and notifies the senders. Channels have
 * `channels.readHistory`. Errors: `PEER_ID_INVALID` for a channel, `MSG_ID_INVALID` for a negative id.
 */
export const readHistory = defineMethod('messages.readHistory', async ({ peer: input, maxId }, call) => {
  if (maxId < 0) throw new MessengerError('MSG_ID_INVALID');
  const peer = await resolvePeer(call, input, { left: true });
  if (peer.kind === 'channel') throw new MessengerError('PEER_ID_INVALID');
  const own = userBox(call.account.userId);
  const outcome = await readUpTo(call, peer, maxId);
  if (!outcome) return { _: 'messages.affectedMessages', pts: await readPts(call, own), ptsCount: 0 };
  const hasLeft = peer.kind === 'chat' && !isMemberOf(peer.chat, call.account.userId);
  if (!hasLeft) await notifySenders(call, peer, outcome.newest);
  const newPts = notifySelf(call, 1, (pts) => ({
    _: 'updateReadHistoryInbox',
    peer: toTlPeer(peer),
    maxId: outcome.maxId,
    stillUnreadCount: outcome.stillUnread,
    pts,
    ptsCount: 1,
  }));
  return { _: 'messages.affectedMessages', pts: newPts, ptsCount: 1 };
});

async function notifySenders(call: CallContext, peer: Peer, newest: FoundMessage[]): Promise<void> {
  const senders = newest.map(({ message }) => (message.fromId?._ === 'peerUser' ? message.fromId.userId : 0));
  // A member that leaves before the commit must not be told.
  expectMembers(call, peer);
  const [users, copies] = await Promise.all([
    findUsers(call, senders),
    findPresentCopies(call, peer, newest),
  ]);
  const { userId } = call.account;
  // In a private chat, each side's peer is the other user.
  const shown = peer.kind === 'user' ? ({ kind: 'user', id: userId } as const) : peer;
  const key: PeerKey = peer.kind === 'user' ? `u${userId}` : peer.key;
  await Promise.all(
    users.map(async (user, i) => {
      const maxId = user && copies[i]?.[userBox(user.id)];
      if (!user || user.deleted || !maxId || !(await noteSeen(call, user.id, { key }, maxId))) return;
      notifyOfEvent(call, user, 1, (pts) => ({
        _: 'updateReadHistoryOutbox',
        peer: toTlPeer(shown),
        maxId,
        pts,
        ptsCount: 1,
      }));
    }),
  );
}

export const example: Example<'messages.readHistory'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  maxId: 0,
});

export const difference = readUpToDifference;
