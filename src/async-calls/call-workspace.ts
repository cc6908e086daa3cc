import type { RedisConnection } from '../redis/connections.ts';
import { callPlaceKey } from '../redis/keys.ts';

/** Notes which workspace a call belongs to, until `goneAt` (ms since the epoch): its id does not say. */
export async function noteCallWorkspace(
  redis: RedisConnection,
  callId: string,
  workspaceId: string,
  goneAt: number,
): Promise<void> {
  await redis.set(callPlaceKey(callId), workspaceId, 'PXAT', Math.ceil(goneAt));
}

/** The workspace of a call, or null. */
export async function findCallWorkspace(redis: RedisConnection, callId: string): Promise<string | null> {
  return redis.get(callPlaceKey(callId));
}

/** Forgets a call that was not taken in, or is kept no longer. */
export async function forgetCallWorkspace(redis: RedisConnection, callId: string): Promise<void> {
  await redis.unlink(callPlaceKey(callId));
}
