import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { changeInviteLimits } from '../../model/chats/invite-limits.ts';
import {
  addPermanentInvite,
  findInvite,
  hashOfLink,
  INVITES_MAX,
  type InviteRecord,
  listInvites,
  putInvite,
  toTlInvite,
} from '../../model/chats/invites.ts';
import { invitesKey } from '../../model/chats/keys.ts';
import { requireLinkAccess, resolveInviting } from '../../model/peers/resolve-invited.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/**
 * Revokes an invite link (`revoked`), which replaces a permanent one, or changes its title and limits; 0 removes a limit. Errors:
 * `CHAT_ADMIN_REQUIRED`, `INVITE_HASH_EXPIRED`, `CHAT_INVITE_PERMANENT` for limits of a permanent link, `USAGE_LIMIT_INVALID`.
 */
export const editExportedChatInvite = defineMethod(
  'messages.editExportedChatInvite',
  async (params, call) => {
    const peer = await resolveInviting(call, params.peer);
    const invite = await findInvite(call, peer.key, hashOfLink(params.link));
    if (!invite || invite.revoked) throw new MessengerError('INVITE_HASH_EXPIRED');
    requireLinkAccess(call, peer, invite.adminId);
    const limited = changeInviteLimits(call, invite, params);
    if (invite.permanent && !params.revoked) throw new MessengerError('CHAT_INVITE_PERMANENT');
    const changed: InviteRecord = params.revoked ? { ...invite, revoked: true } : limited;
    call.tx.expectField(invitesKey(peer.key), invite.hash, JSON.stringify(invite));
    putInvite(call, peer.key, changed);
    const shown = { invite: toTlInvite(changed), users: await viewUsers(call, [changed.adminId]) };
    if (!invite.permanent || (await listInvites(call, peer.key)).length >= INVITES_MAX)
      return { _: 'messages.exportedChatInvite', ...shown };
    const newInvite = toTlInvite(addPermanentInvite(call, peer.key, invite.adminId));
    return { _: 'messages.exportedChatInviteReplaced', ...shown, newInvite };
  },
);

export const example: Example<'messages.editExportedChatInvite'> = async (context) => {
  const { call, ids, self } = context;
  const own = (await listInvites(call, `c${ids.channelId}`)).find(
    (one) => one.adminId === self.id && !one.permanent && !one.revoked,
  );
  return own
    ? { peer: await peerChannel(context, 'channelId'), link: own.hash, title: 'For good friends' }
    : null;
};

export const difference = 'A revoked permanent link is not replaced if there are 200 links.';
