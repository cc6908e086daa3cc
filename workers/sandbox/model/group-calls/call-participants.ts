import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { countRead } from '../common/count-read.ts';
import type { PeerKey } from '../common/keys.ts';
import { listMentioned } from '../peers/mentioned.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';
import { callOrderKey, callParticipantsKey, callSettingsKey } from './keys.ts';

type Video = TlJson<tl.RawGroupCallParticipantVideo>;

export type TlCallParticipant = TlJson<tl.RawGroupCallParticipant>;

/** A participant of a group call, as everybody sees it. */
export interface ParticipantRecord {
  /** The peer that it appears as, and its user. */
  peer: TlJson<tl.TypePeer>;
  userId: number;
  date: number;
  activeDate: number;
  source: number;
  muted: boolean;
  canSelfUnmute: boolean;
  /** Set by an administrator. */
  volume?: number;
  about?: string;
  raiseHandRating?: string;
  video?: Video;
  /** What it would show if it had not stopped. */
  stoppedVideo?: Video;
  presentation?: Video;
  paidStarsTotal?: string;
}

/** What one participant has set about another, for itself only. */
export interface ParticipantSetting {
  mutedByYou?: boolean;
  volume?: number;
}

/** A participant with its stored text. */
export interface FoundParticipant {
  record: ParticipantRecord;
  raw: string;
}

const PAGE_MAX = 100;

/** The participants of these keys, null for those that are not in the call. */
export async function findCallParticipants(
  call: CallContext,
  callId: string,
  keys: readonly string[],
): Promise<(FoundParticipant | null)[]> {
  if (keys.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(callParticipantsKey(callId)), ...keys);
  countRead(call, found);
  return found.map((raw) => (raw === null ? null : { record: JSON.parse(raw) as ParticipantRecord, raw }));
}

/**
 * A page of a call's participants, by the order they joined in, and the offset the next page starts at (empty at the end). Errors:
 * `LIMIT_INVALID` for a negative limit, `OFFSET_INVALID` for an offset that was not returned by a page.
 */
export async function pageParticipants(
  call: CallContext,
  callId: string,
  offset: string,
  limit: number,
): Promise<{ keys: string[]; nextOffset: string }> {
  if (limit < 0) throw new MessengerError('LIMIT_INVALID');
  if (!/^\d{0,15}$/.test(offset)) throw new MessengerError('OFFSET_INVALID');
  const size = Math.min(limit, PAGE_MAX);
  if (size === 0) return { keys: [], nextOffset: offset };
  const { tx } = call;
  const from = offset === '' ? '-inf' : `(${offset}`;
  const order = tx.key(callOrderKey(callId));
  const found = await tx.read.zrangebyscore(order, from, '+inf', 'WITHSCORES', 'LIMIT', 0, size + 1);
  const keys = found.filter((_, i) => i % 2 === 0).slice(0, size);
  return { keys, nextOffset: found.length / 2 > size ? (found[size * 2 - 1] as string) : '' };
}

/** Participants as the calling account sees them, with the users and chats they are. */
export async function viewParticipants(call: CallContext, callId: string, keys: readonly string[]) {
  const viewer = call.account.userId;
  const [found, settings] = await Promise.all([
    findCallParticipants(call, callId, keys),
    findParticipantSettings(call, callId, viewer, keys),
  ]);
  const participants = found.flatMap((one, i) =>
    one ? [toTlCallParticipant(one.record, viewer, settings[i] ?? null)] : [],
  );
  const { users, chats } = await listMentioned(
    call,
    participants.map(({ peer }) => peer),
  );
  return { participants, users, chats };
}

/** A viewer's own settings of these participants. */
async function findParticipantSettings(
  call: CallContext,
  callId: string,
  viewerId: number,
  keys: readonly string[],
): Promise<(ParticipantSetting | null)[]> {
  if (keys.length === 0) return [];
  const fields = keys.map((key) => settingField(viewerId, key));
  const found = await call.tx.read.hmget(call.tx.key(callSettingsKey(callId)), ...fields);
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as ParticipantSetting)));
}

/** The field of a viewer's settings of one participant. */
export function settingField(viewerId: number, key: string): string {
  return `${viewerId}:${key}`;
}

/** The key of a participant. */
export function participantKey({ peer }: Pick<ParticipantRecord, 'peer'>): PeerKey {
  return peerKeyOf(peer);
}

/** The participant as a TL object for one viewer, with the viewer's own `setting`. */
export function toTlCallParticipant(
  record: ParticipantRecord,
  viewerId: number,
  setting: ParticipantSetting | null,
): TlCallParticipant {
  const { peer, date, activeDate, source, about, raiseHandRating, video, presentation, paidStarsTotal } =
    record;
  const volume = setting?.volume ?? record.volume;
  return {
    _: 'groupCallParticipant',
    ...(record.muted ? { muted: true } : {}),
    ...(record.canSelfUnmute ? { canSelfUnmute: true } : {}),
    ...(setting?.mutedByYou ? { mutedByYou: true } : {}),
    ...(record.volume !== undefined && setting?.volume === undefined ? { volumeByAdmin: true } : {}),
    ...(record.userId === viewerId ? { self: true } : {}),
    ...(video ? { videoJoined: true } : {}),
    peer,
    date,
    activeDate,
    source,
    ...(volume === undefined ? {} : { volume }),
    ...(about === undefined ? {} : { about }),
    ...(raiseHandRating === undefined ? {} : { raiseHandRating }),
    ...(video ? { video } : {}),
    ...(presentation ? { presentation } : {}),
    ...(paidStarsTotal === undefined ? {} : { paidStarsTotal }),
  };
}
