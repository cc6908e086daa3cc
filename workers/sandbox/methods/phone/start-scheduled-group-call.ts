import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findGroup, notifyOfStart, postCallAction } from '../../model/group-calls/active-calls.ts';
import { toCallUpdates } from '../../model/group-calls/call-updates.ts';
import {
  expectRights,
  type GroupCallRecord,
  replaceGroupCall,
  resolveGroupCall,
  toInputCall,
} from '../../model/group-calls/group-calls.ts';
import { GROUP_CALLS } from '../../model/group-calls/keys.ts';

/** Starts a scheduled group call now. */
export const startScheduledGroupCall = defineMethod('phone.startScheduledGroupCall', async (params, call) => {
  const found = await resolveGroupCall(call, params.call);
  if (!found.isAdmin) throw new MessengerError('GROUPCALL_FORBIDDEN');
  const { scheduleDate, endedAt, ...record } = found.record;
  if (endedAt !== undefined) throw new MessengerError('GROUPCALL_INVALID');
  if (scheduleDate === undefined) throw new MessengerError('GROUPCALL_ALREADY_STARTED');
  expectRights(call, found);
  const started = { ...record, date: call.date };
  replaceGroupCall(call, found, started);
  const updates = [await notifyOfStart(call, started)];
  const group = await findGroup(call, started);
  if (group) updates.push(await postCallAction(call, group, started));
  return toCallUpdates(call, started, updates);
});

export const example: Example<'phone.startScheduledGroupCall'> = async ({ call, ids }) => {
  const raw = await call.tx.read.hget(call.tx.key(GROUP_CALLS), ids.plannedCallId ?? '');
  const record = raw === null ? null : (JSON.parse(raw) as GroupCallRecord);
  return record?.scheduleDate === undefined || record.endedAt !== undefined
    ? null
    : { call: toInputCall(record) };
};
