import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { SEQ, userBox } from '../common/keys.ts';
import { findUsers, targetOf, type UserRecord } from '../people/users.ts';
import type { ChatRecord } from './chats.ts';
import { CHATS, formerKey, leftKey } from './keys.ts';
import type { BannedRight } from './rights.ts';

/** Each member has a copy of every message, all written by one commit. */
export const CHAT_MEMBERS_MAX = 90;
// Each use of a group reads its record.
const REMOVED_MAX = 200;

type Participants = TlJson<tl.RawChatParticipants>;
type Member = ChatRecord['members'][number];

/** The members of a basic group as a TL object. */
export function toParticipants(chat: ChatRecord): Participants {
  const participants = chat.members.map((member) => toParticipant(chat, member));
  return { _: 'chatParticipants', chatId: chat.id, participants, version: chat.version };
}

function toParticipant({ creatorId }: ChatRecord, member: Member): TlJson<tl.TypeChatParticipant> {
  const { userId, inviterId, date, rank } = member;
  const named = rank === undefined ? {} : { rank };
  return userId === creatorId
    ? { _: 'chatParticipantCreator', userId, ...named }
    : { _: 'chatParticipant', userId, inviterId, date, ...named };
}

/** Throws `CHAT_ADMIN_REQUIRED` if ordinary members of a basic group may not do this, unless the calling account is its creator. */
export function requireGroupRight({ account }: CallContext, chat: ChatRecord, right: BannedRight): void {
  if (chat.defaultBan?.[right] && chat.creatorId !== account.userId)
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
}

/**
 * Replaces the members of a group, and notifies the members before and after. `removedId` is the user whom another one has removed. The
 * commit fails if the group has changed since it was found.
 */
export async function changeMembers(
  call: CallContext,
  chat: ChatRecord,
  members: Member[],
  removedId?: number,
): Promise<ChatRecord> {
  const changed = withRemoved({ ...chat, members, version: chat.version + 1 }, removedId);
  call.tx.expectField(CHATS, chat.id, JSON.stringify(chat));
  call.tx.hset(CHATS, chat.id, changed);
  const before = new Set(chat.members.map(({ userId }) => userId));
  const after = new Set(members.map(({ userId }) => userId));
  const ids = new Set([...before, ...after]);
  for (const id of ids) {
    if (!after.has(id)) call.tx.sadd(formerKey(chat.id), id);
    else if (!before.has(id)) {
      call.tx.srem(formerKey(chat.id), id);
      call.tx.srem(leftKey(id), chat.id);
    }
  }
  await notifyOfMembers(call, changed, chat.members);
  return changed;
}

function withRemoved(chat: ChatRecord, removedId: number | undefined): ChatRecord {
  const isIn = (id: number) => chat.members.some(({ userId }) => userId === id);
  const known = chat.removed ?? [];
  const removed = [...known, ...(removedId === undefined ? [] : [removedId])].filter((id) => !isIn(id));
  return keepRemoved(chat, removed);
}

/** The group without a user among those who were removed; the same if it is not among them. */
export function withoutRemoved(chat: ChatRecord, userId: number): ChatRecord {
  if (!chat.removed?.includes(userId)) return chat;
  return keepRemoved(
    chat,
    chat.removed.filter((id) => id !== userId),
  );
}

function keepRemoved({ removed: _, ...others }: ChatRecord, removed: number[]): ChatRecord {
  return removed.length === 0 ? others : { ...others, removed: removed.slice(-REMOVED_MAX) };
}

/**
 * Notifies the members of a group, and those before, of its members, as far as they may know them; bots also of having come or gone.
 * Returns what its members hear.
 */
export async function notifyOfMembers(
  call: CallContext,
  chat: ChatRecord,
  before: readonly Member[],
): Promise<TlJson<tl.RawUpdateChatParticipants>> {
  const participants = toParticipants(chat);
  const shared = call.tx.share(participants);
  const userIds = new Set([...before, ...chat.members].map(({ userId }) => userId));
  for (const user of await findUsers(call, [...userIds])) {
    if (!user || user.deleted) continue;
    const find = (members: readonly Member[]) => members.find(({ userId }) => userId === user.id);
    const [old, now] = [find(before), find(chat.members)];
    call.tx.update(targetOf(user), {
      _: 'updateChatParticipants',
      participants: now ? shared : { _: 'chatParticipantsForbidden', chatId: chat.id },
    });
    const isChanged = (old === undefined) !== (now === undefined);
    if (user.bot && user.accountId !== null && isChanged) notifyBot(call, chat, user, { old, now });
  }
  return { _: 'updateChatParticipants', participants };
}

// Source: core.telegram.org/constructor/updateChatParticipant.
function notifyBot(
  { tx, account, date }: CallContext,
  chat: ChatRecord,
  bot: UserRecord,
  { old, now }: { old: Member | undefined; now: Member | undefined },
): void {
  tx.update(targetOf(bot), {
    _: 'updateChatParticipant',
    chatId: chat.id,
    date,
    actorId: account.userId,
    userId: bot.id,
    ...(old ? { prevParticipant: toParticipant(chat, old) } : {}),
    ...(now ? { newParticipant: toParticipant(chat, now) } : {}),
    qts: tx.allocate(SEQ, `qts:${userBox(bot.id)}`),
  });
}
