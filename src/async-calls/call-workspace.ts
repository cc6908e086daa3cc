import { KEPT_MS } from '../ledger/retention.ts';
import { isCluster, type RedisConnection } from '../redis/connections.ts';
import { callPlaceKey } from '../redis/keys.ts';
import type { AsyncCall } from './async-call.ts';

/** Writes which workspace an open call belongs to, as its id does not say. This expires when the call cannot be kept any more. */
export async function recordOpenCall(
  redis: RedisConnection,
  { id, workspaceId, expiresAt }: Pick<AsyncCall, 'id' | 'workspaceId' | 'expiresAt'>,
): Promise<void> {
  await recordCallWorkspace(redis, id, workspaceId, expiresAt + 2 * KEPT_MS);
}

/**
 * Writes it again in a cluster, where it lies on another node than the call, and a failover of that node can lose it. Without it the call
 * would run and not be found by its id. Does not wait: the call matters more.
 */
export function restoreOpenCall(redis: RedisConnection, call: AsyncCall): void {
  if (isCluster(redis)) void recordOpenCall(redis, call).catch(() => undefined);
}

/** Writes the workspace of a call, until `goneAt` (ms since the epoch). */
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
