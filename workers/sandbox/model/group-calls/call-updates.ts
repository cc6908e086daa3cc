import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findChannels, findChats, findMember, listMemberIds, toTlChannel, toTlChat } from '../chats/chats.ts';
import { isAllowed } from '../chats/rights.ts';
import { listMembers } from '../conversations/participants.ts';
import { listMentioned } from '../peers/mentioned.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { findUsers, targetOf, type UserRecord } from '../people/users.ts';
import { findStory, listViewers, type StoryRecord } from '../stories/stories.ts';
import {
  findCallParticipants,
  type ParticipantRecord,
  type ParticipantSetting,
  participantKey,
  settingField,
  type TlCallParticipant,
  toTlCallParticipant,
} from './call-participants.ts';
import { type GroupCallCounts, type GroupCallRecord, toInputCall, toTlGroupCall } from './group-calls.ts';
import { callOrderKey, callSettingsKey } from './keys.ts';

type Updates = TlJson<tl.RawUpdates>;

/** The most users who are notified of a call besides its owner, the calling account and the first participants. */
const OTHERS_MAX = 200;
const PARTICIPANTS_MAX = 200;
// The id of no user.
const NOBODY = 0;

/** The users who are notified of a group call's changes; `newStory` is its live story, if this commit creates it. */
export async function listCallAudience(
  call: CallContext,
  record: GroupCallRecord,
  newStory: StoryRecord | null = null,
): Promise<UserRecord[]> {
  const { owner, storyId } = record;
  if (owner.kind === 'user') {
    const [inCall, story] = await Promise.all([
      listUsersInCall(call, record),
      newStory ?? (storyId === undefined ? null : findStory(call, `u${owner.id}`, storyId)),
    ]);
    const viewers = story ? await listViewers(call, owner.id, story.privacy) : [];
    return findAudience(
      call,
      [owner.id, call.account.userId, ...inCall],
      viewers.map(({ id }) => id),
    );
  }
  if (owner.kind === 'chat') return findAudience(call, [], await listChatMembers(call, owner.id));
  const [inCall, members] = await Promise.all([listUsersInCall(call, record), listMemberIds(call, owner.id)]);
  return findAudience(call, [call.account.userId, ...inCall], members);
}

async function findAudience(
  call: CallContext,
  first: readonly number[],
  others: readonly number[],
): Promise<UserRecord[]> {
  const audience = new Set([...first, ...others.slice(0, OTHERS_MAX)]);
  const users = await findUsers(call, [...audience]);
  return users.filter((user): user is UserRecord => user !== null && !user.deleted);
}

/** Notifies the audience of a call's new state; returns the update of the calling account. */
export function notifyOfCall(
  call: CallContext,
  record: GroupCallRecord,
  counts: GroupCallCounts,
  audience: readonly UserRecord[],
  adminIds: ReadonlySet<number>,
): Update {
  const updateFor = (userId: number): Update => ({
    _: 'updateGroupCall',
    ...(record.storyId === undefined ? {} : { liveStory: true }),
    peer: toTlPeer(record.owner),
    call: toTlGroupCall(record, { userId, isAdmin: adminIds.has(userId) }, counts),
  });
  for (const user of audience) call.tx.update(targetOf(user), updateFor(user.id));
  return updateFor(call.account.userId);
}

/** Notifies the audience of a changed participant; returns the update of the calling account. */
export async function notifyParticipant(
  call: CallContext,
  record: GroupCallRecord,
  participant: ParticipantRecord,
  flags: Pick<TlCallParticipant, 'justJoined' | 'left'>,
  version: number,
  audience: readonly UserRecord[],
): Promise<Update> {
  const key = participantKey(participant);
  const fields = audience.map(({ id }) => settingField(id, key));
  const settings =
    fields.length === 0 ? [] : await call.tx.read.hmget(call.tx.key(callSettingsKey(record.id)), ...fields);
  const settingOf = new Map(audience.map(({ id }, i) => [id, JSON.parse(settings[i] ?? 'null')]));
  const shown = (userId: number, setting: ParticipantSetting | null) => ({
    ...toTlCallParticipant(participant, userId, setting),
    ...flags,
    versioned: true,
  });
  const updateOf = (one: ReturnType<typeof shown>): Update => ({
    _: 'updateGroupCallParticipants',
    call: toInputCall(record),
    participants: [one],
    version,
  });
  // With all sources of its video a participant is long, and most see the same.
  const shared = call.tx.share(shown(NOBODY, null));
  for (const user of audience) {
    const setting = settingOf.get(user.id) ?? null;
    const isShared = setting === null && user.id !== participant.userId;
    call.tx.update(targetOf(user), updateOf(isShared ? shared : shown(user.id, setting)));
  }
  const self = call.account.userId;
  return updateOf(shown(self, settingOf.get(self) ?? null));
}

/** Users who manage a call. */
export async function listCallAdmins(call: CallContext, { owner }: GroupCallRecord): Promise<Set<number>> {
  if (owner.kind === 'user') return new Set([owner.id]);
  if (owner.kind === 'chat') {
    const [chat] = await findChats(call, [owner.id]);
    return new Set(chat ? [chat.creatorId] : []);
  }
  const members = await listMembers(call, owner.id);
  return new Set(members.flatMap(({ userId, member }) => (isAllowed(member, 'manageCall') ? [userId] : [])));
}

/** The result of a method that changes a call. */
export async function toCallUpdates(
  call: CallContext,
  record: GroupCallRecord,
  updates: Update[],
  participants: readonly ParticipantRecord[] = [],
): Promise<Updates> {
  const { owner } = record;
  const self = call.account.userId;
  const peers = participants.map(({ peer }) => peer);
  const mentioned = await listMentioned(call, [
    { _: 'peerUser', userId: self },
    ...peers,
    ...(owner.kind === 'user' ? [toTlPeer(owner)] : []),
  ]);
  const chat = await viewOwner(call, record);
  return {
    _: 'updates',
    updates,
    users: mentioned.users,
    chats: [...mentioned.chats.filter(({ id }) => id !== owner.id || owner.kind === 'user'), ...chat],
    date: call.date,
    seq: 0,
  };
}

// The state read here is the one before the commit, in which the call may begin or end.
async function viewOwner(
  call: CallContext,
  { owner, endedAt, storyId }: GroupCallRecord,
): Promise<Updates['chats']> {
  const self = call.account.userId;
  const callActive = endedAt === undefined;
  if (owner.kind === 'chat') {
    const [chat] = await findChats(call, [owner.id]);
    return chat ? [toTlChat({ ...chat, callActive }, self)] : [];
  }
  if (owner.kind === 'user') return [];
  const [[channel], member] = await Promise.all([
    findChannels(call, [owner.id]),
    findMember(call, owner.id, self),
  ]);
  const shown = storyId === undefined ? { callActive } : {};
  return channel ? [toTlChannel({ ...channel, ...shown }, self, member)] : [];
}

async function listChatMembers(call: CallContext, chatId: number): Promise<number[]> {
  const [chat] = await findChats(call, [chatId]);
  return chat?.members.map(({ userId }) => userId) ?? [];
}

async function listUsersInCall(call: CallContext, { id }: GroupCallRecord): Promise<number[]> {
  const { tx } = call;
  const keys = await tx.read.zrange(tx.key(callOrderKey(id)), '0', String(PARTICIPANTS_MAX - 1));
  const participants = await findCallParticipants(call, id, keys);
  return participants.flatMap((one) => one?.record.userId ?? []);
}
