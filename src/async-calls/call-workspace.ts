import type { RedisConnection } from '../redis/connections.ts';
import { callPlaceKey } from '../redis/keys.ts';

/** Records which workspace a call belongs to, as its id does not say; the record expires at `goneAt` (ms since the epoch). */
export async function recordCallWorkspace(
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

/** Removes the record of a call that was not accepted, or is no longer kept. */
export async function forgetCallWorkspace(redis: RedisConnection, callId: string): Promise<void> {
  await redis.unlink(callPlaceKey(callId));
}
