import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { type ChatRecord, toTlChat } from '../../model/chats/chats.ts';
import { CHAT_MEMBERS_MAX, notifyOfMembers } from '../../model/chats/group-members.ts';
import { addPermanentInvite } from '../../model/chats/invites.ts';
import { CHAT_IDS, CHATS } from '../../model/chats/keys.ts';
import { readTitle } from '../../model/chats/title.ts';
import { takeIds } from '../../model/common/take-ids.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { splitInvitees } from '../../model/privacy/split-invitees.ts';

// A user who is named twice counts once.
const NAMED_MAX = 2 * CHAT_MEMBERS_MAX;

/**
 * Creates a basic group with the account, and with those of the given users who let the account add them. Errors: `USERS_TOO_MUCH`,
 * `USERS_TOO_FEW`, `CHAT_MEMBER_ADD_FAILED`, `INPUT_USER_DEACTIVATED`, `TTL_PERIOD_INVALID`.
 */
export const createChat = defineMethod('messages.createChat', async (params, call) => {
  const title = readTitle(params.title);
  if ((params.ttlPeriod ?? 0) !== 0) throw new MessengerError('TTL_PERIOD_INVALID');
  if (params.users.length > NAMED_MAX) throw new MessengerError('USERS_TOO_MUCH');
  const self = call.account.userId;
  const users = await Promise.all(params.users.map((user) => resolveUser(call, user)));
  const invited = new Map(users.filter(({ id }) => id !== self).map((user) => [user.id, user]));
  if (users.some(({ deleted }) => deleted)) throw new MessengerError('INPUT_USER_DEACTIVATED');
  if (invited.size === 0) throw new MessengerError('USERS_TOO_FEW');
  if (invited.size >= CHAT_MEMBERS_MAX) throw new MessengerError('CHAT_MEMBER_ADD_FAILED');
  const { willing, missingInvitees } = await splitInvitees(call, [...invited.values()]);
  const others = willing.map((user) => user.id);
  const [id] = (await takeIds(call, CHAT_IDS, 1)) as [number];
  const chat: ChatRecord = {
    id,
    title,
    creatorId: self,
    date: call.date,
    version: 1,
    noforwards: false,
    members: [self, ...others].map((userId) => ({
      userId,
      inviterId: self,
      date: call.date,
    })),
  };
  call.tx.hset(CHATS, id, chat);
  const peer = { kind: 'chat', id, key: `g${id}`, chat } as const;
  addPermanentInvite(call, peer.key, self);
  const action = {
    _: 'messageActionChatCreate',
    title,
    users: others,
  } as const;
  const update = await notifyOfMembers(call, chat, []);
  const { message, pts } = await postMessage(call, peer, {
    _: 'messageService',
    action,
  });
  const mentioned = await listMentioned(
    call,
    [self, ...others].map((userId) => ({ _: 'peerUser', userId })),
  );
  return {
    _: 'messages.invitedUsers',
    updates: {
      _: 'updates',
      updates: [update, { _: 'updateNewMessage', message, pts, ptsCount: 1 }],
      users: mentioned.users,
      chats: [toTlChat(chat, self)],
      date: call.date,
      seq: 0,
    },
    missingInvitees,
  };
});

export const example: Example<'messages.createChat'> = async (context) => ({
  users: [await inputUser(context, 'contactId')],
  title: 'New group',
});

export const difference = 'No group deletes its messages by itself.';
