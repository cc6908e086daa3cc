import { randomBytes } from 'node:crypto';
import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { runningForumCall } from '../../examples/seeded-things.ts';
import { expectOwnRights } from '../../model/chats/channel-members.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import {
  findCallParticipants,
  type ParticipantRecord,
  participantKey,
} from '../../model/group-calls/call-participants.ts';
import {
  listCallAdmins,
  listCallAudience,
  notifyOfCall,
  notifyParticipant,
  toCallUpdates,
} from '../../model/group-calls/call-updates.ts';
import {
  expectRights,
  type FoundCall,
  readCounts,
  resolveGroupCall,
} from '../../model/group-calls/group-calls.ts';
import { type JoinParams, readJoinParams } from '../../model/group-calls/join-params.ts';
import {
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  callSourcesKey,
  GROUP_CALLS,
  ownSourceField,
} from '../../model/group-calls/keys.ts';
import { findParticipantOf, noteLiveCall } from '../../model/group-calls/leave-call.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { SEEDED_SOURCE } from '../../seed/group-call.ts';

/** Joins a running group call, as oneself or as a channel that one manages. If the participant is in the call already, it is replaced. */
export const joinGroupCall = defineMethod('phone.joinGroupCall', async (params, call) => {
  const { tx, account, date } = call;
  const media = readJoinParams(params.params.data);
  const [found, joinAs] = await Promise.all([
    resolveGroupCall(call, params.call),
    resolveJoinAs(call, params.joinAs),
  ]);
  const { record, raw, isAdmin } = found;
  if (record.endedAt !== undefined || record.scheduleDate !== undefined)
    throw new MessengerError('GROUPCALL_FORBIDDEN');
  tx.expectField(GROUP_CALLS, record.id, raw);
  expectRights(call, found);
  if (joinAs.kind === 'channel') expectOwnRights(call, joinAs);

  const previous = await findParticipantOf(call, record.id, account.userId);
  // A muted participant stays muted when it joins again.
  const canSelfUnmute = isAdmin || (previous?.record.canSelfUnmute ?? !record.joinMuted);
  const about = aboutOf(joinAs);
  const participant: ParticipantRecord = {
    peer: toTlPeer(joinAs),
    userId: account.userId,
    date,
    activeDate: date,
    source: media.source,
    muted: params.muted === true || !canSelfUnmute,
    canSelfUnmute,
    ...(about ? { about } : {}),
    ...videoOf(media, params.videoStopped === true),
  };
  const [audience, admins] = await Promise.all([
    listCallAudience(call, record),
    listCallAdmins(call, record),
  ]);
  const before = previous?.record ?? null;
  const left = before && participantKey(before) !== participantKey(participant) ? [before] : [];
  const updates: Update[] = [];
  // The commit allocates versions in this order: first it leaves as who it was.
  for (const one of left) {
    const version = tx.allocate(callCountsKey(record.id), 'version');
    updates.push(await notifyParticipant(call, record, one, { left: true }, version, audience));
  }
  noteLiveCall(call, record);
  const counts = await enter(call, found, participant, before);
  const joining = { justJoined: true };
  updates.push(
    await notifyParticipant(call, record, participant, joining, counts.version, audience),
    notifyOfCall(call, record, counts, audience, admins),
    connection(record.rtmpStream === true),
  );
  return toCallUpdates(call, record, updates, [participant, ...left]);
});

async function resolveJoinAs(call: CallContext, peer: Parameters<typeof resolvePeer>[1]): Promise<Peer> {
  const found = await resolvePeer(call, peer).catch((error: unknown) => {
    if (error instanceof MessengerError) throw new MessengerError('JOIN_AS_PEER_INVALID');
    throw error;
  });
  const { kind, id } = found;
  const isOwn = kind === 'user' ? id === call.account.userId : isManaged(found);
  if (!isOwn) throw new MessengerError('JOIN_AS_PEER_INVALID');
  return found;
}

function isManaged(peer: Peer): boolean {
  return peer.kind === 'channel' && isAllowed(peer.member, 'manageCall');
}

function aboutOf(peer: Peer): string | undefined {
  if (peer.kind === 'chat') return undefined;
  return peer.kind === 'user' ? peer.user.about : peer.channel.about;
}

function videoOf({ source, sourceGroups }: JoinParams, stopped: boolean): Partial<ParticipantRecord> {
  if (sourceGroups.length === 0) return {};
  const endpoint = randomBytes(8).toString('hex');
  const video = { _: 'groupCallParticipantVideo', endpoint, sourceGroups, audioSource: source } as const;
  return stopped ? { stoppedVideo: video } : { video };
}

// Stores the participant and returns the resulting counts of the call.
async function enter(
  call: CallContext,
  { record }: FoundCall,
  participant: ParticipantRecord,
  previous: ParticipantRecord | null,
) {
  const { tx } = call;
  const { id } = record;
  const own = ownSourceField(participant.userId);
  const key = participantKey(participant);
  const before = previous && participantKey(previous);
  const [holder, [inPlace], counts] = await Promise.all([
    tx.observe(callSourcesKey(id), participant.source),
    findCallParticipants(call, id, [key]),
    readCounts(call, id),
  ]);
  if (holder !== null && holder !== before) throw new MessengerError('GROUPCALL_SSRC_DUPLICATE_MUCH');
  tx.expectField(callParticipantsKey(id), key, inPlace?.raw ?? null);
  // Another administrator is in the call as the same channel.
  if (inPlace && before !== key) throw new MessengerError('JOIN_AS_PEER_INVALID');
  if (previous) tx.hdel(callSourcesKey(id), previous.source);
  if (before !== null && before !== key) {
    tx.hdel(callParticipantsKey(id), before);
    tx.zrem(callOrderKey(id), before);
  }
  tx.hset(callSourcesKey(id), participant.source, key);
  tx.hset(callSourcesKey(id), own, key);
  tx.hset(callParticipantsKey(id), key, participant);
  if (before !== key) tx.zadd(callOrderKey(id), tx.allocate(callCountsKey(id), 'joined'), key);
  const videos = Number(participant.video !== undefined) - Number(previous?.video !== undefined);
  return {
    version: tx.allocate(callCountsKey(id), 'version'),
    participants: before === null ? tx.allocate(callCountsKey(id), 'participants') : counts.participants,
    videos: videos === 0 ? counts.videos : tx.allocate(callCountsKey(id), 'videos', videos),
  };
}

// The sandbox has no media server: the answer has no candidates to connect to.
function connection(isStream: boolean): Update {
  const transport = {
    ufrag: randomBytes(4).toString('hex'),
    pwd: randomBytes(12).toString('hex'),
    fingerprints: [],
    candidates: [],
  };
  const data = JSON.stringify(isStream ? { stream: true, rtmp: true } : { transport });
  return { _: 'updateGroupCallConnection', params: { _: 'dataJSON', data } };
}

export const example: Example<'phone.joinGroupCall'> = async (context) => {
  const call = await runningForumCall(context);
  const params = { _: 'dataJSON', data: JSON.stringify({ ssrc: SEEDED_SOURCE + 1 }) } as const;
  return call && { call, joinAs: SELF, params };
};

export const difference = 'There is no media server: the answer has no candidates.';
