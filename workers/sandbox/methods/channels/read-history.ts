import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findMember } from '../../model/chats/chats.ts';
import { channelBox, SEQ } from '../../model/common/keys.ts';
import { arePresent } from '../../model/conversations/message-readers.ts';
import { readUpTo, readUpToDifference } from '../../model/conversations/read-up-to.ts';
import { noteSeen } from '../../model/conversations/unread-state.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { findUsers, getSelf, targetOf } from '../../model/people/users.ts';

/**
 * Marks a channel as read up to a message (0: to its end), and notifies the senders in a supergroup. Errors: `MSG_ID_INVALID`,
 * `CHANNEL_PRIVATE` for a channel that the account is not in.
 */
export const readHistory = defineMethod('channels.readHistory', async ({ channel: input, maxId }, call) => {
  if (maxId < 0) throw new MessengerError('MSG_ID_INVALID');
  const { tx } = call;
  const peer = await resolveChannel(call, input);
  // A user who only writes to a monoforum is not a member of it.
  if (!peer.member && peer.channel.kind !== 'monoforum') throw new MessengerError('CHANNEL_PRIVATE');
  const outcome = await readUpTo(call, peer, maxId);
  if (!outcome) return true;
  const self = await getSelf(call);
  const channelId = peer.id;
  tx.update(targetOf(self), {
    _: 'updateReadChannelInbox',
    channelId,
    maxId: outcome.maxId,
    stillUnreadCount: outcome.stillUnread,
    // As it is by the commit: clients pass over what comes with an earlier one.
    pts: tx.allocate(SEQ, `pts:${channelBox(channelId)}`, 0),
  });
  const senders = outcome.newest.map(({ message }) =>
    message.fromId?._ === 'peerUser' ? message.fromId.userId : 0,
  );
  const [users, present] = await Promise.all([findUsers(call, senders), arePresent(call, peer, senders)]);
  await Promise.all(
    users.map(async (user, i) => {
      const read = outcome.newest[i]?.message.id;
      if (!user || user.deleted || !present[i] || read === undefined) return;
      if (!(await noteSeen(call, user.id, { key: peer.key }, read))) return;
      tx.update(targetOf(user), { _: 'updateReadChannelOutbox', channelId, maxId: read });
    }),
  );
  return true;
});

export const example: Example<'channels.readHistory'> = async (context) => {
  const { call, self, ids } = context;
  const isIn = await findMember(call, ids.publicChannelId, self.id);
  return { channel: await inputChannel(context, isIn ? 'publicChannelId' : 'channelId'), maxId: 1 };
};

export const difference = readUpToDifference;
