import type { RedisConnection } from '../redis/connections.ts';
import { findNextDue } from './clean-calls.ts';
import { isMarkedDue, markDue } from './due-workspaces.ts';

/**
 * Marks a workspace again if it has async calls and no mark. In a cluster the mark lies on another node than the calls, and a failover of
 * that node can lose it. Without it the calls would not be looked after, and no list would have them.
 */
export async function restoreMark(redis: RedisConnection, workspaceId: string): Promise<void> {
  if (await isMarkedDue(redis, workspaceId)) return;
  const next = await findNextDue(redis, workspaceId);
  if (next !== null) await markDue(redis, workspaceId, next);
}
