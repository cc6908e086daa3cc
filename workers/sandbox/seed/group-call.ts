import { userBox } from '../model/common/keys.ts';
import { randomLong } from '../model/files/documents.ts';
import type { ParticipantRecord } from '../model/group-calls/call-participants.ts';
import { activeCallField, type GroupCallRecord, ownerKey } from '../model/group-calls/group-calls.ts';
import {
  ACTIVE_CALLS,
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  callSourcesKey,
  endedCallsKey,
  GROUP_CALLS,
} from '../model/group-calls/keys.ts';
import type { Seeding } from './seeding.ts';

const DURATION_S = 60;
const PLANNED_S = 7 * 24 * 60 * 60;

/** The source of the account's sound in the call of its forum. */
export const SEEDED_SOURCE = 1_000;

/** An ended group call of the seeded group, with its participants and all their video. */
export function seedGroupCall({ call, self, ids }: Seeding): void {
  const { tx, date } = call;
  const id = ids.groupCallId;
  const record: GroupCallRecord = {
    id,
    accessHash: randomLong(),
    owner: { kind: 'chat', id: ids.chatId },
    creatorId: self.id,
    date: date - DURATION_S,
    title: 'Group call',
    endedAt: date,
  };
  tx.hset(GROUP_CALLS, id, record);
  tx.zadd(endedCallsKey(ownerKey(record)), date, id);
  const userIds = [ids.friendId, self.id];
  for (const [index, userId] of userIds.entries()) {
    tx.hset(callParticipantsKey(id), userBox(userId), newParticipant(userId, record.date, index));
    tx.zadd(callOrderKey(id), index + 1, userBox(userId));
  }
  const counts = { version: 2, participants: userIds.length, videos: userIds.length, joined: userIds.length };
  for (const [field, count] of Object.entries(counts)) tx.hset(callCountsKey(id), field, String(count));
}

/** A running group call of the forum, with the account in it. */
export function seedRunningCall({ call, self, ids }: Seeding): void {
  const { tx, date } = call;
  const id = ids.runningCallId;
  const record: GroupCallRecord = {
    id,
    accessHash: randomLong(),
    owner: { kind: 'channel', id: ids.forumId },
    creatorId: self.id,
    date,
    title: 'Forum call',
  };
  tx.hset(GROUP_CALLS, id, record);
  tx.hset(ACTIVE_CALLS, activeCallField(record), id);
  const key = userBox(self.id);
  tx.hset(callParticipantsKey(id), key, newParticipant(self.id, date, 0));
  tx.zadd(callOrderKey(id), 1, key);
  tx.hset(callSourcesKey(id), SEEDED_SOURCE, key);
  tx.hset(callSourcesKey(id), `by:${self.id}`, key);
  for (const field of ['version', 'participants', 'videos', 'joined']) tx.hset(callCountsKey(id), field, '1');
}

/** A scheduled group call of the spare supergroup. */
export function seedPlannedCall({ call: { tx, date }, self, ids }: Seeding): void {
  const { plannedCallId: id = '', spareId = 0 } = ids;
  const record: GroupCallRecord = {
    id,
    accessHash: randomLong(),
    owner: { kind: 'channel', id: spareId },
    creatorId: self.id,
    date,
    title: 'Planned call',
    scheduleDate: date + PLANNED_S,
  };
  tx.hset(GROUP_CALLS, id, record);
  tx.hset(ACTIVE_CALLS, activeCallField(record), id);
}

function newParticipant(userId: number, date: number, index: number): ParticipantRecord {
  const source = SEEDED_SOURCE + index * 10;
  const sourceGroups = (first: number) => [
    { _: 'groupCallParticipantVideoSourceGroup' as const, semantics: 'SIM', sources: [first, first + 1] },
  ];
  const newVideo = (endpoint: string, first: number) => ({
    _: 'groupCallParticipantVideo' as const,
    endpoint: `${endpoint}-${userId}`,
    sourceGroups: sourceGroups(first),
    audioSource: source,
  });
  return {
    peer: { _: 'peerUser', userId },
    userId,
    date,
    activeDate: date + 1,
    source,
    muted: false,
    canSelfUnmute: true,
    volume: 10_000,
    about: 'In the group call',
    raiseHandRating: String(date),
    video: newVideo('video', source + 1),
    presentation: newVideo('presentation', source + 3),
    paidStarsTotal: '0',
  };
}
