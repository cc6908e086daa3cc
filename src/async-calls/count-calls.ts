import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { callName, keysOf, listName, PLACED, WAITING } from './call-keys.ts';

/** The counts of async calls, of one workspace or of several. */
export interface CallCounts {
  /** Calls that are due and have not ended, and for how many ms the oldest has been due. */
  backlog: number;
  oldestMs: number;
  /** Calls that may not run yet: scheduled calls, calls between two attempts, and held calls. */
  later: number;
  /** Calls that ended without a result and are still kept. */
  failed: number;
  expired: number;
}

/**
 * KEYS 1 waiting, 2 placed, 3 list of failed calls, 4 of expired ones
 * ARGV 1 prefix of the keys of calls
 * Result number of due calls, ms since the oldest became due, number of later calls, of failed calls, of expired calls
 */
const count = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZCOUNT', KEYS[1], '-inf', string.format('%.0f', now))
local since = now
if due > 0 then since = tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]) end
local placed = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if placed then
  local runAt = redis.call('HGET', ARGV[1] .. string.match(placed, '^%S+'), 'runAt')
  since = math.min(since, tonumber(runAt or now))
end
return {due + redis.call('ZCARD', KEYS[2]), math.floor(math.max(0, now - since)), redis.call('ZCARD', KEYS[1]) - due,
  redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4])}
`);

/** Counts the async calls of a workspace, in one command. */
export async function countCalls(redis: RedisConnection, workspaceId: string): Promise<CallCounts> {
  const lists = [listName({ status: 'failed' }), listName({ status: 'expired' })];
  const keys = keysOf(workspaceId, [WAITING, PLACED, ...lists]);
  const [start = ''] = keysOf(workspaceId, [callName('')]);
  const found = (await count.run(redis, keys, [start])) as number[];
  const [backlog = 0, oldestMs = 0, later = 0, failed = 0, expired = 0] = found;
  return { backlog, oldestMs, later, failed, expired };
}
