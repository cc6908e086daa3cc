import { randomInt } from 'node:crypto';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { cutText } from '../../model/common/cut-text.ts';
import { randomLong } from '../../model/files/documents.ts';
import {
  mayManageCalls,
  notifyOfStart,
  postCallAction,
  startGroupCall,
} from '../../model/group-calls/active-calls.ts';
import { toCallUpdates } from '../../model/group-calls/call-updates.ts';
import {
  activeCallField,
  type GroupCallRecord,
  readCounts,
  toTlGroupCall,
} from '../../model/group-calls/group-calls.ts';
import { ACTIVE_CALLS, callRandomKey, GROUP_CALLS } from '../../model/group-calls/keys.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';

const TITLE_MAX = 40;
const DAY_S = 24 * 60 * 60;
const SCHEDULE_MAX_S = 8 * DAY_S;
const REMEMBERED_MS = 2 * DAY_S * 1_000;

/**
 * Starts or schedules a group call in a group or channel whose calls the account may manage. A repeat with the same `randomId` returns the
 * group call that was created with it.
 */
export const createGroupCall = defineMethod('phone.createGroupCall', async (params, call) => {
  const { tx, account, date } = call;
  const { randomId, scheduleDate, rtmpStream } = params;
  const peer = await resolvePeer(call, params.peer);
  if (peer.kind === 'user' || (peer.kind === 'channel' && peer.channel.kind === 'monoforum'))
    throw new MessengerError('PEER_ID_INVALID');
  if (!mayManageCalls(call, peer)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  if (scheduleDate !== undefined && (scheduleDate <= date || scheduleDate > date + SCHEDULE_MAX_S))
    throw new MessengerError('SCHEDULE_DATE_INVALID');
  const owner = { kind: peer.kind, id: peer.id };
  const earlierId = await tx.observe(callRandomKey(account.userId), randomId);
  const earlier = earlierId === null ? null : await findRecord(call, earlierId);
  // The same `randomId` in another group starts another group call.
  if (earlierId !== null && (earlier === null || belongsTo(earlier, owner))) return showAgain(call, earlier);

  const title = params.title === undefined ? undefined : cutText(params.title, TITLE_MAX);
  const record: GroupCallRecord = {
    id: randomLong(),
    accessHash: randomLong(),
    owner,
    creatorId: account.userId,
    date,
    messagesEnabled: true,
    ...(title ? { title } : {}),
    ...(scheduleDate === undefined ? {} : { scheduleDate }),
    ...(rtmpStream ? { rtmpStream } : {}),
    ...(peer.kind === 'channel' && peer.channel.kind === 'broadcast' ? { joinMuted: true } : {}),
  };
  const active = await tx.observe(ACTIVE_CALLS, activeCallField(record));
  if (active !== null) throw new MessengerError('CREATE_CALL_FAILED');
  tx.hset(callRandomKey(account.userId), randomId, record.id);
  tx.expire(callRandomKey(account.userId), 'h', REMEMBERED_MS);
  await startGroupCall(call, record);
  const updates = [await notifyOfStart(call, record), await postCallAction(call, peer, record)];
  return toCallUpdates(call, record, updates);
});

async function findRecord({ tx }: CallContext, id: string): Promise<GroupCallRecord | null> {
  const raw = await tx.read.hget(tx.key(GROUP_CALLS), id);
  return raw === null ? null : (JSON.parse(raw) as GroupCallRecord);
}

function belongsTo({ owner }: GroupCallRecord, { kind, id }: GroupCallRecord['owner']): boolean {
  return owner.kind === kind && owner.id === id;
}

async function showAgain(call: CallContext, record: GroupCallRecord | null) {
  // Its group may have been deleted, and the call with it.
  if (record === null || record.endedAt !== undefined)
    throw new MessengerError('GROUPCALL_ALREADY_DISCARDED');
  const shown = toTlGroupCall(
    record,
    { userId: call.account.userId, isAdmin: true },
    await readCounts(call, record.id),
  );
  return toCallUpdates(call, record, [{ _: 'updateGroupCall', peer: toTlPeer(record.owner), call: shown }]);
}

export const example: Example<'phone.createGroupCall'> = ({ ids }) => ({
  peer: { _: 'inputPeerChat', chatId: ids.chatId },
  randomId: randomInt(2 ** 31),
  title: 'Weekly call',
});
