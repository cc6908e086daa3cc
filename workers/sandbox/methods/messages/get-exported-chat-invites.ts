import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import {
  compareInvites,
  hashOfLink,
  type InviteRecord,
  listInvites,
  toTlInvite,
} from '../../model/chats/invites.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { requireLinkAccess, resolveInviting } from '../../model/peers/resolve-invited.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';

const PAGE_MAX = 100;

/** A page of an administrator's invite links after `offsetLink`: the permanent one, then the newest. Errors: `CHAT_ADMIN_REQUIRED`. */
export const getExportedChatInvites = defineMethod(
  'messages.getExportedChatInvites',
  async (params, call) => {
    const [peer, admin] = await Promise.all([
      resolveInviting(call, params.peer),
      resolveUser(call, params.adminId),
    ]);
    requireLinkAccess(call, peer, admin.id);
    const isRevoked = params.revoked === true;
    const own = (await listInvites(call, peer.key)).filter(({ adminId }) => adminId === admin.id);
    const all = own.filter(({ revoked = false }) => revoked === isRevoked);
    const hash = hashOfLink(params.offsetLink ?? '');
    const after = own.find((one) => one.hash === hash);
    const place = after && !isRevoked ? notRevoked(after) : after;
    const rest = place ? all.filter((one) => compareInvites(one, place) > 0) : all;
    return {
      _: 'messages.exportedChatInvites',
      count: all.length,
      // mtcute asks for all links with a limit of 0.
      invites: rest.slice(0, readLimit(params.limit || PAGE_MAX)).map(toTlInvite),
      users: await viewUsers(call, [admin.id]),
    };
  },
);

// A link that was revoked after it was shown is no longer in the list, but keeps its place.
function notRevoked({ revoked: _, ...invite }: InviteRecord): InviteRecord {
  return invite;
}

export const example: Example<'messages.getExportedChatInvites'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  adminId: { _: 'inputUserSelf' },
  limit: 20,
});

export const difference = 'A `limit` of 0 gives 100.';
