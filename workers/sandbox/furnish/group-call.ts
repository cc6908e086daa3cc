import type { ParticipantRecord } from '../model/call-participants.ts';
import { randomLong } from '../model/documents.ts';
import type { GroupCallRecord } from '../model/group-calls.ts';
import {
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  GROUP_CALLS,
  userBox,
} from '../model/state-keys.ts';
import type { Furnishing } from './furnishing.ts';

const DURATION_S = 60;

/** A group call of the furnished group that has ended, with those who were in it and everything they showed. */
export function furnishGroupCall({ call, self, ids }: Furnishing): void {
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
  const userIds = [ids.friendId, self.id];
  for (const [index, userId] of userIds.entries()) {
    tx.hset(callParticipantsKey(id), userBox(userId), aParticipant(userId, record.date, index));
    tx.zadd(callOrderKey(id), index + 1, userBox(userId));
  }
  const counts = { version: 2, participants: userIds.length, videos: userIds.length, joined: userIds.length };
  for (const [field, count] of Object.entries(counts)) tx.hset(callCountsKey(id), field, String(count));
}

function aParticipant(userId: number, date: number, index: number): ParticipantRecord {
  const source = 1_000 + index * 10;
  const sourceGroups = (first: number) => [
    { _: 'groupCallParticipantVideoSourceGroup' as const, semantics: 'SIM', sources: [first, first + 1] },
  ];
  const aVideo = (endpoint: string, first: number) => ({
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
    video: aVideo('video', source + 1),
    presentation: aVideo('presentation', source + 3),
    paidStarsTotal: '0',
  };
}
