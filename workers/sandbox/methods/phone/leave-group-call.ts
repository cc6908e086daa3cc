import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { runningForumCall } from '../../examples/seeded-things.ts';
import { toCallUpdates } from '../../model/group-calls/call-updates.ts';
import { resolveGroupCall } from '../../model/group-calls/group-calls.ts';
import { findParticipantOf, leaveCall } from '../../model/group-calls/leave-call.ts';

/** Leaves a group call. `source` is the one that the account joined with (0: any). */
export const leaveGroupCall = defineMethod('phone.leaveGroupCall', async ({ call: input, source }, call) => {
  const found = await resolveGroupCall(call, input, 'GROUPCALL_INVALID');
  const { record } = found;
  if (record.endedAt !== undefined) throw new MessengerError('GROUPCALL_INVALID');
  const own = await findParticipantOf(call, record.id, call.account.userId);
  if (!own || (source !== 0 && source !== own.record.source))
    throw new MessengerError('GROUPCALL_JOIN_MISSING');
  const left = await leaveCall(call, found, own);
  return toCallUpdates(call, record, [left], [own.record]);
});

export const example: Example<'phone.leaveGroupCall'> = async (context) => {
  const call = await runningForumCall(context, { joined: true });
  return call && { call, source: 0 };
};
