import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { findUsers, targetOf } from '../people/users.ts';
import type { ChatRecord } from './chats.ts';
import { CHATS, formerKey } from './keys.ts';
import type { BannedRight } from './rights.ts';

/** Each member has a copy of every message, all written by one commit. */
export const CHAT_MEMBERS_MAX = 90;

type Participants = TlJson<tl.RawChatParticipants>;

/** The members of a basic group as a TL object. */
export function toParticipants({ id, members, creatorId, version }: ChatRecord): Participants {
  return {
    _: 'chatParticipants',
    chatId: id,
    participants: members.map(({ userId, inviterId, date, rank }) => {
      const named = rank === undefined ? {} : { rank };
      return userId === creatorId
        ? { _: 'chatParticipantCreator', userId, ...named }
        : { _: 'chatParticipant', userId, inviterId, date, ...named };
    }),
    version,
  };
}

/** Throws `CHAT_ADMIN_REQUIRED` if ordinary members of a basic group may not do this, unless the calling account is its creator. */
export function requireGroupRight({ account }: CallContext, chat: ChatRecord, right: BannedRight): void {
  if (chat.defaultBan?.[right] && chat.creatorId !== account.userId)
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
}

/**
 * Replaces the members of a group, and notifies the members before and after. The commit fails if the group has changed since it was found.
 */
export async function changeMembers(
  call: CallContext,
  chat: ChatRecord,
  members: ChatRecord['members'],
): Promise<ChatRecord> {
  const changed = { ...chat, members, version: chat.version + 1 };
  call.tx.expectField(CHATS, chat.id, JSON.stringify(chat));
  call.tx.hset(CHATS, chat.id, changed);
  const before = new Set(chat.members.map(({ userId }) => userId));
  const after = new Set(members.map(({ userId }) => userId));
  const ids = new Set([...before, ...after]);
  for (const id of ids) {
    if (!after.has(id)) call.tx.sadd(formerKey(chat.id), id);
    else if (!before.has(id)) call.tx.srem(formerKey(chat.id), id);
  }
  await notifyOfMembers(call, changed, [...ids]);
  return changed;
}

/** Notifies users of the members of a group, as far as they may know them. Returns what its members hear. */
export async function notifyOfMembers(
  call: CallContext,
  chat: ChatRecord,
  userIds: readonly number[],
): Promise<TlJson<tl.RawUpdateChatParticipants>> {
  const participants = toParticipants(chat);
  const shared = call.tx.share(participants);
  for (const user of await findUsers(call, userIds)) {
    if (!user || user.deleted) continue;
    const isMember = chat.members.some(({ userId }) => userId === user.id);
    call.tx.update(targetOf(user), {
      _: 'updateChatParticipants',
      participants: isMember ? shared : { _: 'chatParticipantsForbidden', chatId: chat.id },
    });
  }
  return { _: 'updateChatParticipants', participants };
}
