import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { observeBan } from '../chats/bans.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { type ChatRecord, findChannels, findChats, findMember, type MemberRecord } from '../chats/chats.ts';
import { CHATS } from '../chats/keys.ts';
import { isAllowed, isForbidden } from '../chats/rights.ts';
import type { PeerKey } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';
import { expectUnblocked } from '../people/blocks.ts';
import { getSeeded } from '../people/seeded.ts';
import { findStory, maySeeStory } from '../stories/stories.ts';
import { callCountsKey, callSourcesKey, GROUP_CALLS, ownSourceField } from './keys.ts';

/** A group call: the video chat of a group or channel, or what a live story shows. */
export interface GroupCallRecord {
  id: string;
  accessHash: string;
  /** The group, channel or user whose call it is. */
  owner: { kind: Peer['kind']; id: number };
  creatorId: number;
  date: number;
  title?: string;
  scheduleDate?: number;
  rtmpStream?: boolean;
  /** Participants other than administrators join muted, and may not speak until allowed to. */
  joinMuted?: boolean;
  /** The live story that shows it. */
  storyId?: number;
  messagesEnabled?: boolean;
  starsPerMessage?: string;
  endedAt?: number;
}

/** A group call as it was found, with what the calling account may do in it. */
export interface FoundCall {
  record: GroupCallRecord;
  raw: string;
  isAdmin: boolean;
  /** The basic group that it belongs to, or the account's membership of the channel. */
  chat?: ChatRecord;
  member?: MemberRecord | null;
}

/** How often the participants changed, their number, and the number of those with video. */
export interface GroupCallCounts {
  version: number;
  participants: number;
  videos: number;
}

type InputGroupCall = TlJson<tl.TypeInputGroupCall>;

/** The id by which every account may name its seeded, ended group call. */
const SEEDED_ALIAS = '1';

const VIDEOS_MAX = 30;

/**
 * The group call that an `InputGroupCall` names, if the account may see it. Errors: `GROUPCALL_INVALID` for an unknown call, and
 * `forbidden` for a call of a group that the account is not in, or of a story that it may not see.
 */
export async function resolveGroupCall(
  call: CallContext,
  input: InputGroupCall,
  forbidden = 'GROUPCALL_FORBIDDEN',
): Promise<FoundCall> {
  if (input._ !== 'inputGroupCall') throw new MessengerError('GROUPCALL_INVALID');
  const alias = input.id === SEEDED_ALIAS && !call.account.strictPeers;
  const id = alias ? (await getSeeded(call)).groupCallId : input.id;
  const raw = await call.tx.read.hget(call.tx.key(GROUP_CALLS), id);
  if (raw === null) throw new MessengerError('GROUPCALL_INVALID');
  const record = JSON.parse(raw) as GroupCallRecord;
  if (call.account.strictPeers && record.accessHash !== input.accessHash)
    throw new MessengerError('GROUPCALL_INVALID');
  const rights = await rightsIn(call, record);
  if (rights === null) throw new MessengerError(forbidden);
  return { record, raw, ...rights };
}

/**
 * Makes the commit fail if the account has left the group or channel of a call, its rights there have changed, or the user whose live story
 * it is has blocked it, by then.
 */
export function expectRights(call: CallContext, { record, chat, member }: FoundCall): void {
  const { kind, id } = record.owner;
  if (chat) call.tx.expectField(CHATS, id, JSON.stringify(chat));
  if (kind === 'user' && id !== call.account.userId) expectUnblocked(call, id);
  if (kind === 'channel') expectOwnMember(call, { id, member: member ?? null });
}

/** Replaces a group call; the commit fails if it has changed since it was found. */
export function replaceGroupCall(
  call: CallContext,
  { record, raw }: FoundCall,
  changed: GroupCallRecord,
): void {
  call.tx.expectField(GROUP_CALLS, record.id, raw);
  call.tx.hset(GROUP_CALLS, record.id, changed);
}

/** The counts of a group call as they are before this commit. */
export async function readCounts(call: CallContext, callId: string): Promise<GroupCallCounts> {
  const fields = ['version', 'participants', 'videos'];
  const found = await call.tx.read.hmget(call.tx.key(callCountsKey(callId)), ...fields);
  const [version, participants, videos] = found.map((count) => Number(count ?? 0));
  return { version, participants, videos } as GroupCallCounts;
}

/** The field of `active-calls` for a peer's video chat, or for the call of its live story. */
export function activeCallField({ owner, storyId }: Pick<GroupCallRecord, 'owner' | 'storyId'>): string {
  const key = ownerKey({ owner });
  return storyId === undefined ? key : `live:${key}`;
}

/** The group, channel or user whose call it is. */
export function ownerKey({ owner }: Pick<GroupCallRecord, 'owner'>): PeerKey {
  return `${({ user: 'u', chat: 'g', channel: 'c' } as const)[owner.kind]}${owner.id}`;
}

/** The reference to a group call in messages, stories and updates. */
export function toInputCall({ id, accessHash }: GroupCallRecord): TlJson<tl.RawInputGroupCall> {
  return { _: 'inputGroupCall', id, accessHash };
}

/** For how many seconds a call has lasted at its end; one that was only scheduled, for none. */
export function durationOf({ date, scheduleDate }: GroupCallRecord, endedAt: number): number {
  return scheduleDate === undefined ? endedAt - date : 0;
}

/** The group call as a TL object for one viewer. */
export function toTlGroupCall(
  record: GroupCallRecord,
  viewer: { userId: number; isAdmin: boolean },
  counts: GroupCallCounts,
): TlJson<tl.TypeGroupCall> {
  const { id, accessHash, endedAt } = record;
  if (endedAt !== undefined)
    return { _: 'groupCallDiscarded', id, accessHash, duration: durationOf(record, endedAt) };
  const { title, scheduleDate, rtmpStream, joinMuted, messagesEnabled, starsPerMessage } = record;
  return {
    _: 'groupCall',
    id,
    accessHash,
    joinDateAsc: true,
    canStartVideo: true,
    ...(joinMuted ? { joinMuted } : {}),
    ...(viewer.isAdmin ? { canChangeJoinMuted: true, canChangeMessagesEnabled: true } : {}),
    ...(record.creatorId === viewer.userId ? { creator: true } : {}),
    ...(rtmpStream ? { rtmpStream, streamDcId: 1 } : {}),
    ...(messagesEnabled ? { messagesEnabled } : {}),
    ...(title === undefined ? {} : { title }),
    ...(scheduleDate === undefined ? {} : { scheduleDate }),
    ...(starsPerMessage === undefined ? {} : { sendPaidMessagesStars: starsPerMessage }),
    participantsCount: counts.participants,
    unmutedVideoCount: counts.videos,
    unmutedVideoLimit: VIDEOS_MAX,
    version: counts.version,
  };
}

type Rights = Pick<FoundCall, 'isAdmin' | 'chat' | 'member'>;

// Whether the account manages the call; null if it may not even see it.
async function rightsIn(call: CallContext, record: GroupCallRecord): Promise<Rights | null> {
  const { id, owner, storyId } = record;
  const self = call.account.userId;
  if (owner.kind === 'chat') {
    const [chat] = await findChats(call, [owner.id]);
    const isIn = chat?.members.some(({ userId }) => userId === self);
    return chat && isIn ? { isAdmin: chat.creatorId === self, chat } : null;
  }
  if (owner.kind === 'channel') return rightsInChannel(call, record);
  if (owner.id === self) return { isAdmin: true };
  const story = storyId === undefined ? null : await findStory(call, `u${owner.id}`, storyId);
  if (!story) return null;
  const maySee = (await maySeeStory(call, owner.id, story.privacy, self)) || (await isInCall(call, id));
  return maySee ? { isAdmin: false } : null;
}

async function rightsInChannel(
  call: CallContext,
  { id, owner, storyId }: GroupCallRecord,
): Promise<Rights | null> {
  const self = call.account.userId;
  const [[channel], member] = await Promise.all([
    findChannels(call, [owner.id]),
    findMember(call, owner.id, self),
  ]);
  if (!channel || (!member && storyId === undefined)) return null;
  if (member) return { isAdmin: isAllowed(member, 'manageCall'), member };
  if (channel.username === null && !(await isInCall(call, id))) return null;
  const ban = await observeBan(call, owner.id, self);
  return isForbidden(ban, 'viewMessages', call.date) ? null : { isAdmin: false, member };
}

// A participant of a live story's call may go on even if its owner would no longer show it the story. A user who is blocked has been removed from
// the call.
async function isInCall({ tx, account }: CallContext, callId: string): Promise<boolean> {
  return (await tx.observe(callSourcesKey(callId), ownSourceField(account.userId))) !== null;
}
