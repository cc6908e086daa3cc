import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { toTlChannel, toTlChat } from '../../model/chats/chats.ts';
import { CHANNELS, CHATS } from '../../model/chats/keys.ts';
import { notifyChannel } from '../../model/chats/notify-channel.ts';
import { toUpdates } from '../../model/messages/posted-updates.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { findUsers, targetOf } from '../../model/people/users.ts';

/**
 * Protects what is written in a group or channel from being forwarded, or stops protecting it. Errors: `CHAT_ADMIN_REQUIRED`,
 * `CHAT_NOT_MODIFIED`, `PEER_ID_INVALID` for a private chat.
 */
export const toggleNoForwards = defineMethod(
  'messages.toggleNoForwards',
  async ({ peer: input, enabled }, call) => {
    const peer = await resolvePeer(call, input);
    const self = call.account.userId;
    if (peer.kind === 'user') throw new MessengerError('PEER_ID_INVALID');
    const record = peer.kind === 'chat' ? peer.chat : peer.channel;
    const isOwner = peer.kind === 'chat' ? peer.chat.creatorId === self : peer.member?.role === 'creator';
    if (!isOwner) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    if (record.noforwards === enabled) throw new MessengerError('CHAT_NOT_MODIFIED');
    const records = peer.kind === 'chat' ? CHATS : CHANNELS;
    call.tx.expectField(records, peer.id, JSON.stringify(record));
    call.tx.hset(records, peer.id, { ...record, noforwards: enabled });
    if (peer.kind === 'channel') {
      const update = { _: 'updateChannel', channelId: peer.id } as const;
      await notifyChannel(call, peer.id, update);
      const chat = toTlChannel({ ...peer.channel, noforwards: enabled }, self, peer.member);
      return toUpdates(call, [update], { chat });
    }
    const update = { _: 'updateChat', chatId: peer.id } as const;
    const members = await findUsers(
      call,
      peer.chat.members.map(({ userId }) => userId),
    );
    for (const member of members) if (member) call.tx.update(targetOf(member), update);
    return toUpdates(call, [update], { chat: toTlChat({ ...peer.chat, noforwards: enabled }, self) });
  },
);

export const example: Example<'messages.toggleNoForwards'> = async (exemplar) => ({
  peer: await peerChannel(exemplar, 'channelId'),
  enabled: true,
});
