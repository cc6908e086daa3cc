import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inviteOf } from '../../examples/seeded-things.ts';
import { observeMemberIds } from '../../model/chats/channel-members.ts';
import { findChats, toTlChat } from '../../model/chats/chats.ts';
import { CHAT_MEMBERS_MAX, changeMembers } from '../../model/chats/group-members.ts';
import type { InviteRecord } from '../../model/chats/invites.ts';
import { invitesKey } from '../../model/chats/keys.ts';
import { CHANNEL_MEMBERS_MAX, joinAs } from '../../model/conversations/join-channel.ts';
import { notifyOfParticipants } from '../../model/conversations/notify-participant.ts';
import { announce, memberAction } from '../../model/messages/announce.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { toPostedUpdates } from '../../model/messages/posted-updates.ts';
import { type Invited, resolveInvite } from '../../model/peers/resolve-invited.ts';

/**
 * Joins a group or channel by an invite link, with a service message in a group. Errors: those of `messages.checkChatInvite`,
 * `USER_ALREADY_PARTICIPANT`, `USERS_TOO_MUCH`, `CHANNELS_TOO_MUCH`.
 */
export const importChatInvite = defineMethod('messages.importChatInvite', async ({ hash }, call) => {
  const found = await resolveInvite(call, hash);
  if (found.isIn) throw new MessengerError('USER_ALREADY_PARTICIPANT');
  const { invite } = found;
  const name = invitesKey(found.kind === 'chat' ? `g${found.chat.id}` : `c${found.channel.id}`);
  call.tx.expectField(name, invite.hash, JSON.stringify(invite));
  call.tx.hset(name, invite.hash, withUse(invite));
  const updates = found.kind === 'chat' ? await joinChat(call, found) : await joinChannel(call, found);
  return { _: 'messages.chatInviteJoinResultOk', updates };
});

function withUse(invite: InviteRecord): InviteRecord {
  return { ...invite, usage: invite.usage + 1 };
}

async function joinChat(call: CallContext, { chat, invite }: Extract<Invited, { kind: 'chat' }>) {
  if (chat.members.length >= CHAT_MEMBERS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const self = call.account.userId;
  const newcomer = { userId: self, inviterId: invite.adminId, date: call.date, invite: invite.hash };
  const changed = await changeMembers(call, chat, [...chat.members, newcomer]);
  const peer = { kind: 'chat', id: chat.id, key: `g${chat.id}`, chat: changed } as const;
  const action = { _: 'messageActionChatJoinedByLink', inviterId: invite.adminId } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action });
  return toPostedUpdates(call, peer, posted, { chat: toTlChat(changed, self), others: [invite.adminId] });
}

async function joinChannel(call: CallContext, { peer, invite }: Extract<Invited, { kind: 'channel' }>) {
  const memberIds = await observeMemberIds(call, peer.id);
  if (memberIds.length >= CHANNEL_MEMBERS_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const inviterId = invite.adminId;
  const member = await joinAs(call, peer.id, 'member', { inviterId, invite: invite.hash });
  const self = call.account.userId;
  const before = { member: null, ban: member.ban };
  await notifyOfParticipants(call, peer, [
    { userId: self, before, after: { member }, invite: withUse(invite) },
  ]);
  const action = memberAction(peer, { _: 'messageActionChatJoinedByLink', inviterId });
  const notifiedIds = [...memberIds, self];
  return announce(call, { ...peer, member }, action, { memberIds: notifiedIds, others: [inviterId] });
}

export const example: Example<'messages.importChatInvite'> = async (context) => {
  const { call, ids, self } = context;
  const [chat] = ids.invitedId === undefined ? [] : await findChats(call, [ids.invitedId]);
  return chat?.members.some(({ userId }) => userId === self.id) ? null : inviteOf(context);
};

export const difference = 'Nobody has to approve.';
