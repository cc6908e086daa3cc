import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import type { CallCounts } from './count-calls.ts';

const KEY = directoryKey('async-totals');

/** Publishes the counts of the async calls of all workspaces. */
export async function saveAsyncTotals(redis: RedisConnection, totals: CallCounts): Promise<void> {
  await redis.hset(KEY, { ...totals });
}

/** The latest counts of the async calls of all workspaces; all are 0 before the first survey. */
export async function readAsyncTotals(redis: RedisConnection): Promise<CallCounts> {
  const found = await redis.hmget(KEY, 'backlog', 'oldestMs', 'later', 'failed', 'expired');
  const [backlog = 0, oldestMs = 0, later = 0, failed = 0, expired = 0] = found.map(Number);
  return { backlog, oldestMs, later, failed, expired };
}
