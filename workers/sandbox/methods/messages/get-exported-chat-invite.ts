import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { findInvite, hashOfLink, listInvites, toTlInvite } from '../../model/chats/invites.ts';
import { requireLinkAccess, resolveInviting } from '../../model/peers/resolve-invited.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/** An invite link of a group or channel, also a revoked one. Errors: `CHAT_ADMIN_REQUIRED`, `INVITE_HASH_EXPIRED` for an unknown link. */
export const getExportedChatInvite = defineMethod('messages.getExportedChatInvite', async (params, call) => {
  const peer = await resolveInviting(call, params.peer);
  const invite = await findInvite(call, peer.key, hashOfLink(params.link));
  if (!invite) throw new MessengerError('INVITE_HASH_EXPIRED');
  requireLinkAccess(call, peer, invite.adminId);
  return {
    _: 'messages.exportedChatInvite',
    invite: toTlInvite(invite),
    users: await viewUsers(call, [invite.adminId]),
  };
});

export const example: Example<'messages.getExportedChatInvite'> = async (context) => {
  const { call, ids, self } = context;
  const own = (await listInvites(call, `c${ids.channelId}`)).find(({ adminId }) => adminId === self.id);
  return own ? { peer: await peerChannel(context, 'channelId'), link: own.hash } : null;
};
