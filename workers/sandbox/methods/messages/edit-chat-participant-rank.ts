import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel, SELF } from '../../examples/input-peers.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { findMember, toTlChannel } from '../../model/chats/chats.ts';
import { membersKey } from '../../model/chats/keys.ts';
import { isAllowed, isForbidden } from '../../model/chats/rights.ts';
import { readRank } from '../../model/chats/title.ts';
import { mayManageAdmin } from '../../model/conversations/participants.ts';
import { changeGroup } from '../../model/groups/change-group.ts';
import { toUpdates } from '../../model/messages/posted-updates.ts';
import type { ChannelPeer, Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { targetOf, type UserRecord } from '../../model/people/users.ts';

/**
 * Changes a member's rank (a title) in a basic group or supergroup: one's own, or with the right to it that of others. Errors:
 * `CHAT_ADMIN_REQUIRED`, `PARTICIPANT_ID_INVALID`, `PEER_ID_INVALID`, `ADMIN_RANK_INVALID`, `ADMIN_RANK_EMOJI_NOT_ALLOWED`.
 */
export const editChatParticipantRank = defineMethod(
  'messages.editChatParticipantRank',
  async (params, call) => {
    const [peer, participant] = await Promise.all([
      resolvePeer(call, params.peer),
      resolvePeer(call, params.participant),
    ]);
    const { rank } = readRank(params.rank);
    if (participant.kind !== 'user') throw new MessengerError('PARTICIPANT_ID_INVALID');
    if (peer.kind === 'chat') return changeInGroup(call, peer, participant.id, rank);
    if (peer.kind === 'user' || peer.channel.kind !== 'megagroup')
      throw new MessengerError('PEER_ID_INVALID');
    return changeInChannel(call, peer, participant.user, rank);
  },
);

async function changeInGroup(
  call: CallContext,
  peer: Extract<Peer, { kind: 'chat' }>,
  userId: number,
  rank: string | undefined,
) {
  const { chat } = peer;
  const self = call.account.userId;
  if (!chat.members.some((one) => one.userId === userId)) throw new MessengerError('PARTICIPANT_ID_INVALID');
  const isOwn = userId === self && !chat.defaultBan?.editRank;
  if (!isOwn && chat.creatorId !== self) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const members = chat.members.map(({ rank: before, ...one }) =>
    one.userId === userId ? withRank(one, rank) : withRank(one, before),
  );
  const version = chat.version + 1;
  return changeGroup(
    call,
    peer,
    { members, version },
    {
      _: 'updateChatParticipantRank',
      chatId: chat.id,
      userId,
      rank: rank ?? '',
      version,
    },
  );
}

async function changeInChannel(
  call: CallContext,
  peer: ChannelPeer,
  user: UserRecord,
  rank: string | undefined,
) {
  const { id, channel, member } = peer;
  const self = call.account.userId;
  const mayManage = isAllowed(member, 'manageRanks');
  const isBanned = channel.defaultBan?.editRank || isForbidden(member?.ban, 'editRank', call.date);
  const isOwn = user.id === self && (mayManage || !isBanned);
  if (!isOwn && !mayManage) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const before = await findMember(call, id, user.id);
  if (!before) throw new MessengerError('PARTICIPANT_ID_INVALID');
  if (!isOwn && before.role !== 'member' && !mayManageAdmin(call, peer, before))
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const { rank: _, ...known } = before;
  const after = withRank(known, rank);
  expectOwnMember(call, peer);
  call.tx.expectField(membersKey(id), user.id, JSON.stringify(before));
  call.tx.hset(membersKey(id), user.id, after);
  const update = { _: 'updateChannel', channelId: id } as const;
  if (!user.deleted) call.tx.update(targetOf(user), update);
  const chat = toTlChannel(channel, self, user.id === self ? after : member);
  return toUpdates(call, [update], { chat });
}

function withRank<Member extends object>(
  member: Member,
  rank: string | undefined,
): Member & { rank?: string } {
  return rank === undefined ? member : { ...member, rank };
}

export const example: Example<'messages.editChatParticipantRank'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  participant: SELF,
  rank: 'Founder',
});
