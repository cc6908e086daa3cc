import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { basicGroupCall, runningForumCall } from '../../examples/seeded-things.ts';
import { endGroupCall } from '../../model/group-calls/active-calls.ts';
import { toCallUpdates } from '../../model/group-calls/call-updates.ts';
import { expectRights, resolveGroupCall } from '../../model/group-calls/group-calls.ts';

/** Ends a group call the account manages, for everybody in it. */
export const discardGroupCall = defineMethod('phone.discardGroupCall', async (params, call) => {
  const found = await resolveGroupCall(call, params.call);
  const { record, isAdmin } = found;
  if (!isAdmin) throw new MessengerError('GROUPCALL_FORBIDDEN');
  if (record.endedAt !== undefined) throw new MessengerError('GROUPCALL_ALREADY_DISCARDED');
  expectRights(call, found);
  const updates = await endGroupCall(call, found);
  return toCallUpdates(call, { ...record, endedAt: call.date }, updates);
});

// If the group has a call, end that one: other examples join the forum's.
export const example: Example<'phone.discardGroupCall'> = async (context) => {
  const call = (await basicGroupCall(context)) ?? (await runningForumCall(context));
  return call && { call };
};
