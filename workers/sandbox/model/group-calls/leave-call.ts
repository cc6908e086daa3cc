import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { type FoundParticipant, findCallParticipants, participantKey } from './call-participants.ts';
import { listCallAudience, notifyParticipant } from './call-updates.ts';
import type { FoundCall, GroupCallRecord } from './group-calls.ts';
import {
  ACTIVE_CALLS,
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  callSourcesKey,
  GROUP_CALLS,
  liveCallsKey,
  ownSourceField,
} from './keys.ts';

const LIVE_CALLS_MAX = 20;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** How a user takes part in a group call, or null; the commit fails if that has changed by then. */
export async function findParticipantOf(
  call: CallContext,
  callId: string,
  userId: number,
): Promise<FoundParticipant | null> {
  const key = await call.tx.observe(callSourcesKey(callId), ownSourceField(userId));
  const [found] = key === null ? [] : await findCallParticipants(call, callId, [key]);
  if (key === null || !found) return null;
  call.tx.expectField(callParticipantsKey(callId), key, found.raw);
  return found;
}

/** Removes a participant from a running group call, and notifies everybody concerned; returns the update of the calling account. */
export async function leaveCall(
  call: CallContext,
  { record, raw }: Pick<FoundCall, 'record' | 'raw'>,
  { record: participant }: FoundParticipant,
): Promise<Update> {
  const { tx } = call;
  const { id } = record;
  const key = participantKey(participant);
  tx.expectField(GROUP_CALLS, id, raw);
  const audience = await listCallAudience(call, record);
  tx.hdel(callParticipantsKey(id), key);
  tx.hdel(callSourcesKey(id), participant.source);
  tx.hdel(callSourcesKey(id), ownSourceField(participant.userId));
  tx.zrem(callOrderKey(id), key);
  if (record.storyId !== undefined) tx.zrem(liveCallsKey(participant.userId), id);
  tx.allocate(callCountsKey(id), 'participants', -1);
  if (participant.video) tx.allocate(callCountsKey(id), 'videos', -1);
  const version = tx.allocate(callCountsKey(id), 'version');
  return notifyParticipant(call, record, participant, { left: true }, version, audience);
}

/**
 * Removes a user who leaves a group or channel from its running calls. Returns whether it was in one. The commit fails if it joins one
 * meanwhile.
 */
export async function leaveCallsOf(call: CallContext, peer: PeerKey, userId: number): Promise<boolean> {
  const left = await Promise.all([peer, `live:${peer}`].map((field) => leaveActive(call, field, userId)));
  return left.includes(true);
}

async function leaveActive(call: CallContext, field: string, userId: number): Promise<boolean> {
  const { tx } = call;
  const id = await tx.observe(ACTIVE_CALLS, field);
  return id !== null && leaveIfIn(call, id, userId);
}

/** Notes that the calling account joins a call. Members of a group or channel leave its calls with it, viewers of a live story do not. */
export function noteLiveCall(
  { tx, account, date }: CallContext,
  { id, owner, storyId }: GroupCallRecord,
): void {
  const isOwn = owner.kind === 'user' && owner.id === account.userId;
  if (storyId === undefined || isOwn) return;
  tx.zadd(liveCallsKey(account.userId), date, id);
  tx.zkeep(liveCallsKey(account.userId), LIVE_CALLS_MAX, KEPT_MS);
}

/** Removes a user from one of the running calls of live stories that it is in. Returns whether it was in one. */
export async function leaveLiveCall(call: CallContext, userId: number): Promise<boolean> {
  const { tx } = call;
  for (const id of await tx.read.zrange(tx.key(liveCallsKey(userId)), '0', '-1'))
    if (await leaveIfIn(call, id, userId)) return true;
  return false;
}

async function leaveIfIn(call: CallContext, id: string, userId: number): Promise<boolean> {
  const { tx } = call;
  const [participant, raw] = await Promise.all([
    findParticipantOf(call, id, userId),
    tx.read.hget(tx.key(GROUP_CALLS), id),
  ]);
  const record = raw === null ? null : (JSON.parse(raw) as GroupCallRecord);
  if (!participant || raw === null || !record || record.endedAt !== undefined) return false;
  await leaveCall(call, { record, raw }, participant);
  return true;
}
