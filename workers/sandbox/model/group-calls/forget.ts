import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import type { PeerKey } from '../common/keys.ts';
import { endGroupCall } from './active-calls.ts';
import { listCallAudience, notifyOfCall } from './call-updates.ts';
import { activeCallField, type GroupCallRecord, ownerKey, readCounts } from './group-calls.ts';
import {
  ACTIVE_CALLS,
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  callRandomKey,
  callSettingsKey,
  callSourcesKey,
  endedCallsKey,
  GROUP_CALLS,
  liveCallsKey,
  RTMP_KEYS,
} from './keys.ts';
import { leaveLiveCall } from './leave-call.ts';

// Each takes seven writes.
const FORGOTTEN_AT_ONCE = 8;

export const groupCalls: Forgetting = {
  ownKeys: (userId) => [
    [callRandomKey(userId), 'h'],
    [liveCallsKey(userId), 'z'],
  ],
  async forget(call, userId) {
    await endLiveStory(call, userId);
    // Many are notified of a call: another commit has room for the next one.
    return !(await leaveLiveCall(call, userId)) && forgetEndedCalls(call, `u${userId}`);
  },
  forgetChannel: (call, channelId) => forgetCallsOf(call, `c${channelId}`),
};

async function endLiveStory(call: CallContext, userId: number): Promise<void> {
  const { tx } = call;
  const field = activeCallField({ owner: { kind: 'user', id: userId }, storyId: 0 });
  tx.hdel(RTMP_KEYS, field);
  const id = await tx.read.hget(tx.key(ACTIVE_CALLS), field);
  const raw = id === null ? null : await tx.read.hget(tx.key(GROUP_CALLS), id);
  if (raw === null) return;
  const record = JSON.parse(raw) as GroupCallRecord;
  await endGroupCall(call, { record, raw, isAdmin: true });
  // No message mentions it.
  forgetCall(call, record.id);
  tx.zrem(endedCallsKey(`u${userId}`), record.id);
}

/** Ends the running calls of a basic group or channel that is deleted, and notifies their audience. */
export async function endGroupCallsOf(call: CallContext, peer: PeerKey): Promise<void> {
  const { tx } = call;
  const ids = await tx.read.hmget(tx.key(ACTIVE_CALLS), peer, `live:${peer}`);
  for (const id of ids) {
    const raw = id === null ? null : await tx.observe(GROUP_CALLS, id);
    if (raw === null) continue;
    const ended: GroupCallRecord = { ...JSON.parse(raw), endedAt: call.date };
    const audience = await listCallAudience(call, ended);
    notifyOfCall(call, ended, await readCounts(call, ended.id), audience, new Set());
  }
  await forgetRunningCalls(call, peer);
}

/** Removes the calls of a basic group or channel that ends. False if more have ended than are removed at once. */
export async function forgetCallsOf(call: CallContext, peer: PeerKey): Promise<boolean> {
  await forgetRunningCalls(call, peer);
  return forgetEndedCalls(call, peer);
}

async function forgetEndedCalls(call: CallContext, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const name = endedCallsKey(peer);
  const ids = await tx.read.zrange(tx.key(name), '0', String(FORGOTTEN_AT_ONCE));
  const ending = ids.slice(0, FORGOTTEN_AT_ONCE);
  const records = await Promise.all(ending.map((id) => tx.observe(GROUP_CALLS, id)));
  for (const [i, id] of ending.entries()) {
    const raw = records[i] ?? null;
    // A reset gives the furnished call of an account to another group.
    if (raw !== null && ownerKey(JSON.parse(raw) as GroupCallRecord) === peer) forgetCall(call, id);
    tx.zrem(name, id);
  }
  return ids.length <= FORGOTTEN_AT_ONCE;
}

async function forgetRunningCalls(call: CallContext, peer: PeerKey): Promise<void> {
  const { tx } = call;
  const fields = [peer, `live:${peer}`];
  // The commit fails if one begins meanwhile.
  const ids = await Promise.all(fields.map((field) => tx.observe(ACTIVE_CALLS, field)));
  for (const [i, field] of fields.entries()) {
    tx.hdel(RTMP_KEYS, field);
    const id = ids[i] ?? null;
    if (id === null) continue;
    tx.hdel(ACTIVE_CALLS, field);
    forgetCall(call, id);
  }
}

/** Removes a group call that is in no list any more. */
export function forgetCall({ tx }: CallContext, id: string): void {
  tx.hdel(GROUP_CALLS, id);
  for (const toKey of [callCountsKey, callParticipantsKey, callSourcesKey, callSettingsKey])
    tx.del(toKey(id), 'h');
  tx.del(callOrderKey(id), 'z');
}
