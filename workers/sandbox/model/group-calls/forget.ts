import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import type { PeerKey } from '../common/keys.ts';
import { endCall } from './active-calls.ts';
import { activeCallField, type GroupCallRecord } from './group-calls.ts';
import {
  ACTIVE_CALLS,
  callCountsKey,
  callOrderKey,
  callParticipantsKey,
  callRandomKey,
  callSettingsKey,
  callSourcesKey,
  GROUP_CALLS,
  RTMP_KEYS,
} from './keys.ts';

export const groupCalls: Forgetting = {
  ownKeys: (userId) => [[callRandomKey(userId), 'h']],
  async forget(call, userId) {
    await endLiveStory(call, userId);
    return true;
  },
  async forgetChannel(call, channelId) {
    await forgetCallsOf(call, `c${channelId}`);
    return true;
  },
};

async function endLiveStory(call: CallContext, userId: number): Promise<void> {
  const { tx } = call;
  const field = activeCallField({ owner: { kind: 'user', id: userId }, storyId: 0 });
  tx.hdel(RTMP_KEYS, field);
  const id = await tx.read.hget(tx.key(ACTIVE_CALLS), field);
  const raw = id === null ? null : await tx.read.hget(tx.key(GROUP_CALLS), id);
  if (raw === null) return;
  await endCall(call, { record: JSON.parse(raw) as GroupCallRecord, raw, isAdmin: true });
}

/** Removes the calls that go on in a basic group or channel that ends. */
export async function forgetCallsOf(call: CallContext, peer: PeerKey): Promise<void> {
  const { tx } = call;
  const fields = [peer, `live:${peer}`];
  const ids = await tx.read.hmget(tx.key(ACTIVE_CALLS), ...fields);
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
