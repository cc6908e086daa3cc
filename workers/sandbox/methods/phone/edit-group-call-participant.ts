import type { MethodParams, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { runningForumCall } from '../../examples/seeded-things.ts';
import {
  type FoundParticipant,
  findCallParticipants,
  type ParticipantRecord,
  type ParticipantSetting,
  participantKey,
  settingField,
  toTlCallParticipant,
} from '../../model/group-calls/call-participants.ts';
import {
  listCallAdmins,
  listCallAudience,
  notifyParticipant,
  toCallUpdates,
} from '../../model/group-calls/call-updates.ts';
import {
  expectRights,
  type GroupCallRecord,
  readCounts,
  resolveGroupCall,
  toInputCall,
} from '../../model/group-calls/group-calls.ts';
import {
  callCountsKey,
  callParticipantsKey,
  callSettingsKey,
  callSourcesKey,
  GROUP_CALLS,
} from '../../model/group-calls/keys.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { notifyOwnSessions } from '../../model/people/users.ts';

type Params = MethodParams<'phone.editGroupCallParticipant'>;

const VOLUME_MAX = 20_000;

/**
 * Changes a participant of a group call. An account changes its own microphone, hand and video; an administrator the right to speak and the
 * volume of everybody; anybody else only how it hears somebody itself (muted, volume).
 */
export const editGroupCallParticipant = defineMethod(
  'phone.editGroupCallParticipant',
  async (params, call) => {
    const { volume } = params;
    if (volume !== undefined && (volume < 1 || volume > VOLUME_MAX))
      throw new MessengerError('USER_VOLUME_INVALID');
    const [resolved, peer] = await Promise.all([
      resolveGroupCall(call, params.call),
      resolvePeer(call, params.participant),
    ]);
    const { record, raw, isAdmin } = resolved;
    if (record.endedAt !== undefined) throw new MessengerError('GROUPCALL_INVALID');
    const { tx, account } = call;
    const [[found], own] = await Promise.all([
      findCallParticipants(call, record.id, [peer.key]),
      tx.observe(callSourcesKey(record.id), `by:${account.userId}`),
    ]);
    if (!found || own === null) throw new MessengerError('PARTICIPANT_JOIN_MISSING');
    tx.expectField(GROUP_CALLS, record.id, raw);
    tx.expectField(callParticipantsKey(record.id), peer.key, found.raw);
    const isSelf = found.record.userId === account.userId;
    if (isAdmin) expectRights(call, resolved);
    if (!isSelf) refuseOwnSettings(params, isAdmin);
    if (!isSelf && !isAdmin) return setForOneself(call, record, found, params);
    const changed = isSelf
      ? changeSelf(found.record, params, { date: call.date, isAdmin })
      : changeOther(found.record, params, await listCallAdmins(call, record));
    return change(call, record, found.record, changed);
  },
);

function refuseOwnSettings(
  { raiseHand, videoStopped, videoPaused, presentationPaused }: Params,
  isAdmin: boolean,
) {
  if (raiseHand === true || (raiseHand === false && !isAdmin))
    throw new MessengerError('RAISE_HAND_FORBIDDEN');
  if (videoStopped !== undefined) throw new MessengerError('VIDEO_STOP_FORBIDDEN');
  if (videoPaused !== undefined || presentationPaused !== undefined)
    throw new MessengerError('VIDEO_PAUSE_FORBIDDEN');
}

interface Situation {
  date: number;
  isAdmin: boolean;
}

function changeSelf(record: ParticipantRecord, params: Params, situation: Situation): ParticipantRecord {
  const changed = { ...record };
  changeMicrophone(changed, params, situation);
  changeVideo(changed, params);
  const { videoPaused, presentationPaused, volume } = params;
  if (videoPaused !== undefined) {
    if (!changed.video) throw new MessengerError('VIDEO_PAUSE_FORBIDDEN');
    changed.video = { ...changed.video, paused: videoPaused };
  }
  if (presentationPaused !== undefined) {
    if (!changed.presentation) throw new MessengerError('VIDEO_PAUSE_FORBIDDEN');
    changed.presentation = { ...changed.presentation, paused: presentationPaused };
  }
  if (volume !== undefined) changed.volume = volume;
  return changed;
}

function changeMicrophone(
  changed: ParticipantRecord,
  { muted, raiseHand }: Params,
  { date, isAdmin }: Situation,
): void {
  // A participant that became an administrator after it was muted may speak again.
  if (isAdmin) changed.canSelfUnmute = true;
  if (muted === false && !changed.canSelfUnmute) throw new MessengerError('GROUPCALL_FORBIDDEN');
  if (muted !== undefined) changed.muted = muted;
  if (raiseHand === true) {
    // A participant who may speak cannot raise its hand.
    if (changed.canSelfUnmute) throw new MessengerError('RAISE_HAND_FORBIDDEN');
    changed.raiseHandRating = String(date);
  }
  if (raiseHand === false || muted === false) delete changed.raiseHandRating;
}

function changeVideo(changed: ParticipantRecord, { videoStopped }: Params): void {
  if (videoStopped === undefined) return;
  const video = changed.video ?? changed.stoppedVideo;
  if (!video) throw new MessengerError('VIDEO_STOP_FORBIDDEN');
  delete changed.video;
  delete changed.stoppedVideo;
  if (videoStopped) changed.stoppedVideo = video;
  else changed.video = video;
}

// An administrator cannot unmute somebody, but only allow it; who speaks already goes on. Another administrator may always unmute itself.
function changeOther(
  record: ParticipantRecord,
  { muted, volume, raiseHand }: Params,
  adminIds: ReadonlySet<number>,
): ParticipantRecord {
  const changed = { ...record };
  if (muted !== undefined) {
    changed.muted ||= muted;
    changed.canSelfUnmute = !muted || adminIds.has(record.userId);
  }
  if (muted === false || raiseHand === false) delete changed.raiseHandRating;
  if (volume !== undefined) changed.volume = volume;
  return changed;
}

async function change(
  call: CallContext,
  record: GroupCallRecord,
  before: ParticipantRecord,
  changed: ParticipantRecord,
) {
  const { tx } = call;
  tx.hset(callParticipantsKey(record.id), participantKey(changed), changed);
  const version = tx.allocate(callCountsKey(record.id), 'version');
  const videos = Number(changed.video !== undefined) - Number(before.video !== undefined);
  if (videos !== 0) tx.allocate(callCountsKey(record.id), 'videos', videos);
  const audience = await listCallAudience(call, record);
  const update = await notifyParticipant(call, record, changed, {}, version, audience);
  return toCallUpdates(call, record, [update], [changed]);
}

async function setForOneself(
  call: CallContext,
  record: GroupCallRecord,
  { record: participant }: FoundParticipant,
  { muted, volume }: Params,
) {
  const { tx, account } = call;
  const name = callSettingsKey(record.id);
  const field = settingField(account.userId, participantKey(participant));
  const [raw, counts] = await Promise.all([tx.observe(name, field), readCounts(call, record.id)]);
  const setting: ParticipantSetting = {
    ...(raw === null ? {} : (JSON.parse(raw) as ParticipantSetting)),
    ...(muted === undefined ? {} : { mutedByYou: muted }),
    ...(volume === undefined ? {} : { volume }),
  };
  tx.hset(name, field, setting);
  const update: Update = {
    _: 'updateGroupCallParticipants',
    call: toInputCall(record),
    participants: [toTlCallParticipant(participant, account.userId, setting)],
    version: counts.version,
  };
  notifyOwnSessions(call, update);
  return toCallUpdates(call, record, [update], [participant]);
}

export const example: Example<'phone.editGroupCallParticipant'> = async (context) => {
  const call = await runningForumCall(context, { joined: true });
  return call && { call, participant: SELF, muted: true };
};
