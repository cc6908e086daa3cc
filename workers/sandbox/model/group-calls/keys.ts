import type { PeerKey } from '../common/keys.ts';

/**
 * The keys of group calls. The letters are those of `common/keys.ts`.
 *
 *   group-calls         hash: group call id K -> GroupCallRecord
 *   active-calls        hash: peer key, or `live:<peer>` for the live story of a peer -> K of the call that has not ended
 *   ended-calls:<peer>  sorted set: K of the calls of a user, group or channel that have ended, by date
 *   call-random:U       hash: randomId by which U created a group call -> K; kept for two days after the last
 *   call-counts:K       hash: counters. `version`, `participants`, `videos`, `joined` (joins so far)
 *   call-participants:K hash: peer key -> ParticipantRecord
 *   call-order:K        sorted set: peer keys of the participants, by the number of their join
 *   call-sources:K      hash: source of a participant's sound, or `by:U` -> peer key it appears as
 *   call-settings:K     hash: `U:<peer>` -> ParticipantSetting, of what U did to a participant for itself alone
 *   live-calls:U        sorted set: K of calls of others' live stories that U has joined, by date: the last 20; kept for a month after
 *                       the last
 *   rtmp-keys           hash: peer key, or `live:<peer>` -> stream key
 */
export const GROUP_CALLS = 'group-calls';
export const ACTIVE_CALLS = 'active-calls';
export const RTMP_KEYS = 'rtmp-keys';

export function endedCallsKey(owner: PeerKey): string {
  return `ended-calls:${owner}`;
}

export function callRandomKey(userId: number): string {
  return `call-random:${userId}`;
}

export function liveCallsKey(userId: number): string {
  return `live-calls:${userId}`;
}

export function callCountsKey(callId: string): string {
  return `call-counts:${callId}`;
}

export function callParticipantsKey(callId: string): string {
  return `call-participants:${callId}`;
}

export function callOrderKey(callId: string): string {
  return `call-order:${callId}`;
}

export function callSourcesKey(callId: string): string {
  return `call-sources:${callId}`;
}

/** The field of `call-sources` with the peer that a user appears as. */
export function ownSourceField(userId: number): string {
  return `by:${userId}`;
}

export function callSettingsKey(callId: string): string {
  return `call-settings:${callId}`;
}
