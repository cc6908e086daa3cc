import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { CHANNELS, CHATS, membersKey } from './keys.ts';
import { type AdminRights, ALL_RIGHTS, type Ban, type BannedRights } from './rights.ts';

/** A basic group. */
export interface ChatRecord {
  id: number;
  title: string;
  creatorId: number;
  date: number;
  version: number;
  noforwards: boolean;
  members: { userId: number; inviterId: number; date: number; rank?: string; invite?: string }[];
  /** The users who were removed and are not back, the last 200: they see it as forbidden. */
  removed?: number[];
  about?: string;
  /** What its members, except its creator, may not do. */
  defaultBan?: BannedRights;
  /** It has a running group call. */
  callActive?: boolean;
  /** It was ended by its creator: nobody returns to it. */
  ended?: true;
}

/** A channel: a broadcast channel, a supergroup (with topics if `forum`) or a monoforum. */
export interface ChannelRecord {
  id: number;
  kind: 'broadcast' | 'megagroup' | 'monoforum';
  title: string;
  about: string;
  creatorId: number;
  accessHash: string;
  username: string | null;
  forum: boolean;
  /** Clients show its topics as tabs. */
  forumTabs?: boolean;
  noforwards: boolean;
  date: number;
  /** What ordinary members of a supergroup may not do, and how many seconds they wait between two messages. */
  defaultBan?: BannedRights;
  slowMode?: number;
  /** The channel that a monoforum belongs to, or the monoforum of a channel. */
  linkedId: number | null;
  /** It has a running group call. */
  callActive?: boolean;
  /** It was deleted by its creator, and has no members any more. */
  deleted?: true;
}

/** One member of a channel. */
export interface MemberRecord {
  role: 'creator' | 'admin' | 'member';
  date: number;
  /** The id of the newest message when it joined; absent if it joined in an earlier release, or was seeded. */
  sinceId?: number;
  /** The user who invited the member; absent if it joined by itself. */
  inviterId?: number;
  /** The hash of the invite link by which it joined. */
  invite?: string;
  /** An administrator's rights, the user who promoted it, and its title. */
  rights?: AdminRights;
  promotedBy?: number;
  rank?: string;
  /** What the member may not do: a copy of its ban, so that reading the membership is enough. */
  ban?: Ban;
}

export type TlChat = TlJson<tl.TypeChat>;

/** The basic groups of these ids, null for those that do not exist. */
export async function findChats(call: CallContext, ids: readonly number[]): Promise<(ChatRecord | null)[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(CHATS), ...ids.map(String));
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as ChatRecord)));
}

/** The channels of these ids, null for those that do not exist. */
export async function findChannels(
  call: CallContext,
  ids: readonly number[],
): Promise<(ChannelRecord | null)[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(CHANNELS), ...ids.map(String));
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as ChannelRecord)));
}

/** The user's membership of a channel, or null. */
export async function findMember(
  call: CallContext,
  channelId: number,
  userId: number,
): Promise<MemberRecord | null> {
  const raw = await call.tx.read.hget(call.tx.key(membersKey(channelId)), String(userId));
  return raw === null ? null : (JSON.parse(raw) as MemberRecord);
}

/** Ids of a channel's members. */
export async function listMemberIds(call: CallContext, channelId: number): Promise<number[]> {
  return (await call.tx.read.hkeys(call.tx.key(membersKey(channelId)))).map(Number);
}

/** The basic group as a TL object; as forbidden to a user who was removed from it. */
export function toTlChat(chat: ChatRecord, viewerId: number): TlChat {
  const isMember = chat.members.some(({ userId }) => userId === viewerId);
  // A worker of an earlier release adds somebody again without taking them off the list.
  if (!isMember && chat.removed?.includes(viewerId))
    return { _: 'chatForbidden', id: chat.id, title: chat.title };
  return {
    _: 'chat',
    id: chat.id,
    title: chat.title,
    photo: { _: 'chatPhotoEmpty' },
    participantsCount: chat.members.length,
    date: chat.date,
    version: chat.version,
    ...(chat.creatorId === viewerId ? { creator: true } : {}),
    ...(chat.noforwards ? { noforwards: true } : {}),
    ...(chat.callActive ? { callActive: true } : {}),
    ...(chat.defaultBan ? { defaultBannedRights: chat.defaultBan } : {}),
    ...(isMember ? {} : { left: true }),
  };
}

/** The channel as a TL object; `member` is the viewer's membership. A private channel's access hash is shown only to its members. */
export function toTlChannel(channel: ChannelRecord, viewerId: number, member: MemberRecord | null): TlChat {
  if (channel.deleted) return toForbiddenChannel(channel);
  const rights = member?.role === 'creator' ? ALL_RIGHTS : member?.rights;
  return {
    _: 'channel',
    id: channel.id,
    ...(isFound(channel) || member ? { accessHash: channel.accessHash } : {}),
    title: channel.title,
    photo: { _: 'chatPhotoEmpty' },
    date: channel.date,
    ...(channel.kind === 'broadcast' ? { broadcast: true } : { megagroup: true }),
    ...(channel.kind === 'monoforum' ? { monoforum: true } : {}),
    ...(channel.linkedId === null ? {} : { linkedMonoforumId: channel.linkedId }),
    ...(channel.forum ? { forum: true } : {}),
    ...(channel.forumTabs ? { forumTabs: true } : {}),
    ...(channel.noforwards ? { noforwards: true } : {}),
    ...(channel.callActive ? { callActive: true } : {}),
    ...(channel.username === null ? {} : { username: channel.username }),
    ...(channel.creatorId === viewerId ? { creator: true } : {}),
    ...(member === null ? { left: true } : {}),
    ...(rights ? { adminRights: rights } : {}),
    ...(member?.ban ? { bannedRights: member.ban.rights } : {}),
    ...(channel.defaultBan ? { defaultBannedRights: channel.defaultBan } : {}),
    ...(channel.slowMode ? { slowmodeEnabled: true } : {}),
  };
}

function isFound({ username, kind }: ChannelRecord): boolean {
  return username !== null || kind === 'monoforum';
}

/** A channel as shown after it was deleted, and to users who are banned from it, with the end of their ban. */
export function toForbiddenChannel(
  { id, accessHash, title, kind }: ChannelRecord,
  ban: Ban | null = null,
): TlChat {
  const { untilDate = 0 } = ban?.rights ?? {};
  return {
    _: 'channelForbidden',
    id,
    accessHash,
    title,
    ...(kind === 'broadcast' ? { broadcast: true } : { megagroup: true }),
    ...(kind === 'monoforum' ? { monoforum: true } : {}),
    ...(untilDate === 0 ? {} : { untilDate }),
  };
}
