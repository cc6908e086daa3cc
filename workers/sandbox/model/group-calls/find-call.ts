import type { CallContext } from '../../../driver.ts';
import { activeCallField, type GroupCallRecord, toInputCall } from './group-calls.ts';
import { ACTIVE_CALLS, GROUP_CALLS } from './keys.ts';

/** The running group call of a group or channel, or null. */
export async function findCallOf({ tx }: CallContext, owner: GroupCallRecord['owner']) {
  const id = await tx.read.hget(tx.key(ACTIVE_CALLS), activeCallField({ owner }));
  const raw = id === null ? null : await tx.read.hget(tx.key(GROUP_CALLS), id);
  return raw === null ? null : toInputCall(JSON.parse(raw) as GroupCallRecord);
}
