import { randomInt } from 'node:crypto';
import { type GroupCallRecord, toInputCall } from '../model/group-calls/group-calls.ts';
import { GROUP_CALLS } from '../model/group-calls/keys.ts';
import { SEEDED_SOURCE } from '../seed/group-call.ts';
import { type Examples, type Exemplar, SELF } from './example.ts';
import { peerChannel } from './input-peers.ts';

/** Examples of group calls. */
export const phoneExamples: Examples = {
  'phone.createGroupCall': ({ ids }) => ({
    peer: { _: 'inputPeerChat', chatId: ids.chatId },
    randomId: randomInt(2 ** 31),
    title: 'Weekly call',
  }),
  'phone.getGroupCall': async (exemplar) => ({ call: await theCall(exemplar), limit: 20 }),
  'phone.getGroupParticipants': async (exemplar) => ({
    call: await theCall(exemplar),
    ids: [],
    sources: [],
    offset: '',
    limit: 20,
  }),
  'phone.joinGroupCall': async (exemplar) => ({
    call: await theCall(exemplar),
    joinAs: SELF,
    params: { _: 'dataJSON', data: JSON.stringify({ ssrc: SEEDED_SOURCE + 1 }) },
  }),
  'phone.editGroupCallParticipant': async (exemplar) => ({
    call: await theCall(exemplar),
    participant: SELF,
    muted: true,
  }),
  'phone.leaveGroupCall': async (exemplar) => ({ call: await theCall(exemplar), source: 0 }),
  'phone.discardGroupCall': async (exemplar) => ({ call: await theCall(exemplar) }),
  'phone.getGroupCallStreamRtmpUrl': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'channelId'),
    revoke: false,
  }),
};

async function theCall({ call, ids }: Exemplar) {
  const raw = await call.tx.read.hget(call.tx.key(GROUP_CALLS), ids.runningCallId);
  return toInputCall(JSON.parse(raw ?? '{}') as GroupCallRecord);
}
