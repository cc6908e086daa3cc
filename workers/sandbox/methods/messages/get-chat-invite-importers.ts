import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { findInvite, hashOfLink } from '../../model/chats/invites.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { listMembers } from '../../model/conversations/participants.ts';
import { requireLinkAccess, resolveInviting } from '../../model/peers/resolve-invited.ts';
import { viewUsers } from '../../model/people/view-users.ts';

type Params = MethodParams<'messages.getChatInviteImporters'>;
type Group = Awaited<ReturnType<typeof resolveInviting>>;

/**
 * The members who joined a group or channel by a given link, or by any link that the account sees, the latest first. Errors:
 * `CHAT_ADMIN_REQUIRED`, `INVITE_HASH_EXPIRED`, `SEARCH_WITH_LINK_NOT_SUPPORTED`.
 */
export const getChatInviteImporters = defineMethod(
  'messages.getChatInviteImporters',
  async (params, call) => {
    const peer = await resolveInviting(call, params.peer);
    const hash = await findHash(call, peer, params);
    const isNobody = params.requested || params.subscriptionExpired;
    const all = isNobody ? [] : (await listJoined(call, peer)).filter((one) => !hash || one.invite === hash);
    const behind = all.filter((one) => isBehind(one, params));
    const shown = behind.slice(0, readLimit(params.limit));
    return {
      _: 'messages.chatInviteImporters',
      count: all.length,
      importers: shown.map(({ userId, date }) => ({ _: 'chatInviteImporter', userId, date })),
      users: await viewUsers(
        call,
        shown.map(({ userId }) => userId),
      ),
    };
  },
);

async function findHash(call: CallContext, peer: Group, { link, q }: Params): Promise<string | null> {
  if (link === undefined) return null;
  if (q) throw new MessengerError('SEARCH_WITH_LINK_NOT_SUPPORTED');
  const invite = await findInvite(call, peer.key, hashOfLink(link));
  if (!invite) throw new MessengerError('INVITE_HASH_EXPIRED');
  requireLinkAccess(call, peer, invite.adminId);
  return invite.hash;
}

interface Joined {
  userId: number;
  date: number;
  inviterId?: number;
  invite?: string;
}

async function listJoined(call: CallContext, peer: Group): Promise<Joined[]> {
  const members: Joined[] =
    peer.kind === 'chat'
      ? peer.chat.members
      : (await listMembers(call, peer.id)).flatMap(({ userId, member }) =>
          member ? [{ ...member, userId }] : [],
        );
  const seesAll = peer.kind === 'chat' || peer.member?.role === 'creator';
  return members
    .filter(({ invite, inviterId }) => invite && (seesAll || inviterId === call.account.userId))
    .toSorted((a, b) => b.date - a.date || b.userId - a.userId);
}

function isBehind({ userId, date }: Joined, { offsetDate, offsetUser }: Params): boolean {
  if (offsetDate <= 0) return true;
  const offsetId = 'userId' in offsetUser ? offsetUser.userId : 0;
  return date < offsetDate || (date === offsetDate && userId < offsetId);
}

export const example: Example<'messages.getChatInviteImporters'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  offsetDate: 0,
  offsetUser: { _: 'inputUserEmpty' },
  limit: 20,
});

export const difference = 'Nobody waits for approval, so a search finds nobody.';
