import type { RedisConnection } from '../redis/connections.ts';
import { callPlaceKey } from '../redis/keys.ts';

/** Writes which workspace a call belongs to, as its id does not say. This expires at `goneAt` (ms since the epoch). */
export async function recordCallWorkspace(
  redis: RedisConnection,
  callId: string,
  workspaceId: string,
  goneAt: number,
): Promise<void> {
  await redis.set(callPlaceKey(callId), workspaceId, 'PXAT', Math.ceil(goneAt));
}

/** The id of a call's workspace, or null. */
export async function findCallWorkspace(redis: RedisConnection, callId: string): Promise<string | null> {
  return redis.get(callPlaceKey(callId));
}

/** Removes the workspace of a call that was not accepted, or is no longer kept. */
export async function forgetCallWorkspace(redis: RedisConnection, callId: string): Promise<void> {
  await redis.unlink(callPlaceKey(callId));
}
