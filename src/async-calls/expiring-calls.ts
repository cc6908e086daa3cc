import type { RedisConnection } from '../redis/connections.ts';
import { stateKey } from '../redis/keys.ts';
import type { CallRef } from './attempt-call.ts';
import { EXPIRING, entryOf, PLACED, WAITING } from './call-keys.ts';
import { toCallRef } from './place-calls.ts';

const AT_ONCE = 100;

/** Calls whose expiry has passed by `now`, earliest first, at most a hundred. */
export async function findExpiringCalls(
  redis: RedisConnection,
  workspaceId: string,
  now: number,
): Promise<CallRef[]> {
  const key = stateKey(workspaceId, EXPIRING);
  const entries = await redis.zrangebyscore(key, '-inf', Math.floor(now), 'LIMIT', 0, AT_ONCE);
  return entries.map((entry) => toCallRef(workspaceId, entry));
}

/** Removes a call that has ended, or does not exist, from the set of expiring calls. */
export async function forgetExpiring(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallRef,
): Promise<void> {
  const entry = entryOf(callId, accountId);
  await Promise.all(
    [WAITING, PLACED, EXPIRING].map((name) => redis.zrem(stateKey(workspaceId, name), entry)),
  );
}
