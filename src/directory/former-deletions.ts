import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { DELETIONS, DELETIONS_DUE } from './deletions.ts';
import { recordsKey } from './records.ts';

/** Sorted set: id of a workspace deleted by an API process of an earlier release -> when no call in flight can add to it (ms). */
export const FORMER_DELETIONS = directoryKey('deleted-workspaces');

const AT_ONCE = 100;

/**
 * KEYS 1 former deletions, 2 workspaces, 3 deletions, 4 due deletions
 * ARGV 1 how many at most
 * Result: how many were taken over
 */
const takeOver = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local ids = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[1])
for _, id in ipairs(ids) do
  redis.call('ZREM', KEYS[1], id)
  -- A workspace whose deletion failed then still exists.
  if redis.call('HEXISTS', KEYS[2], id) == 0 and redis.call('HEXISTS', KEYS[3], id) == 0 then
    local deletion = '{"collection":"workspaces","record":{"id":"%s","organizationId":""},"overAt":0}'
    redis.call('HSET', KEYS[3], id, string.format(deletion, id))
    redis.call('ZADD', KEYS[4], now, id)
  end
end
return #ids
`);

/**
 * Notes deletions for workspaces that API processes of an earlier release have deleted, once no call in flight can write any more. Data
 * written by those calls are left, and nothing else erases them.
 */
export async function takeOverFormerDeletions(redis: RedisConnection): Promise<void> {
  const keys = [FORMER_DELETIONS, recordsKey('workspaces'), DELETIONS, DELETIONS_DUE];
  while ((await takeOver.run(redis, keys, [AT_ONCE])) === AT_ONCE);
}
