import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { runningForumCall } from '../../examples/seeded-things.ts';
import { findCallParticipants } from '../../model/group-calls/call-participants.ts';
import { listCallAudience, notifyParticipant, toCallUpdates } from '../../model/group-calls/call-updates.ts';
import { resolveGroupCall } from '../../model/group-calls/group-calls.ts';
import {
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  callSourcesKey,
  GROUP_CALLS,
} from '../../model/group-calls/keys.ts';

/** Leaves a group call. `source` is the one that the account joined with (0: any). */
export const leaveGroupCall = defineMethod('phone.leaveGroupCall', async ({ call: input, source }, call) => {
  const { tx, account } = call;
  const { record, raw } = await resolveGroupCall(call, input, 'GROUPCALL_INVALID');
  const { id } = record;
  if (record.endedAt !== undefined) throw new MessengerError('GROUPCALL_INVALID');
  const own = `by:${account.userId}`;
  const key = await tx.observe(callSourcesKey(id), own);
  const [found] = key === null ? [] : await findCallParticipants(call, id, [key]);
  if (key === null || !found || (source !== 0 && source !== found.record.source))
    throw new MessengerError('GROUPCALL_JOIN_MISSING');
  tx.expectField(GROUP_CALLS, id, raw);
  tx.expectField(callParticipantsKey(id), key, found.raw);

  const audience = await listCallAudience(call, record);
  tx.hdel(callParticipantsKey(id), key);
  tx.hdel(callSourcesKey(id), found.record.source);
  tx.hdel(callSourcesKey(id), own);
  tx.zrem(callOrderKey(id), key);
  tx.allocate(callCountsKey(id), 'participants', -1);
  if (found.record.video) tx.allocate(callCountsKey(id), 'videos', -1);
  const version = tx.allocate(callCountsKey(id), 'version');
  const left = await notifyParticipant(call, record, found.record, { left: true }, version, audience);
  return toCallUpdates(call, record, [left], [found.record]);
});

export const example: Example<'phone.leaveGroupCall'> = async (context) => {
  const call = await runningForumCall(context, { joined: true });
  return call && { call, source: 0 };
};
