import type { RedisConnection } from '../redis/connections.ts';
import { IS_BEFORE } from '../redis/is-before.ts';
import { floorKey, updatesKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { TXIDS_PER_MS } from '../txid.ts';
import { ZERO_OFFSET } from './offset.ts';

/** Which updates of a workspace are held: those younger than `maxAgeMs`, and of these about the newest `maxCount`. */
export interface Retention {
  maxAgeMs: number;
  maxCount: number;
}

// Redis does nothing else during a run.
const REMOVED_PER_RUN = 2_000;

/**
 * KEYS 1 floor, 2 updates stream
 * ARGV 1 most age in ms, 2 most updates, 3 most to remove in this run
 * Result: how many were removed. The cut by age is exact; the cut by count removes whole nodes of the stream, so a few more stay.
 */
const trim = new Script(`#!lua flags=allow-oom
${IS_BEFORE}
local floor = redis.call('GET', KEYS[1]) or '${ZERO_OFFSET}'
local function record(txid, index)
  local offset = string.rep('0', 16 - #txid) .. txid .. string.format('_%016.0f', index)
  if isBefore(floor, offset) then
    floor = offset
    redis.call('SET', KEYS[1], floor)
  end
end
local removed = 0
local time = redis.call('TIME')
local bound = string.format('%.0f', (time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]) * ${TXIDS_PER_MS})
-- XREVRANGE goes through the whole stream where none of it is old.
local hasOld = redis.call('XRANGE', KEYS[2], '-', '(' .. bound .. '-0', 'COUNT', 1)[1]
if hasOld then
  local newestOld = redis.call('XREVRANGE', KEYS[2], '(' .. bound .. '-0', '-', 'COUNT', 1)[1]
  local txid, index = string.match(newestOld[1], '(%d+)-(%d+)')
  record(txid, index)
  local first = txid .. '-' .. string.format('%.0f', index + 1)
  removed = redis.call('XTRIM', KEYS[2], 'MINID', '~', first, 'LIMIT', ARGV[3])
  -- Only a part of a node has to go.
  if removed == 0 then removed = redis.call('XTRIM', KEYS[2], 'MINID', '=', first) end
end
if removed == 0 then
  removed = redis.call('XTRIM', KEYS[2], 'MAXLEN', '~', ARGV[2], 'LIMIT', ARGV[3])
  if removed > 0 then
    local txid, index = string.match(redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1][1], '(%d+)-(%d+)')
    record(txid, index - 1)
  end
end
return removed
`);

/** Removes the updates of a workspace that retention no longer holds, and records the new floor. Returns how many were removed. */
export async function trimUpdates(
  redis: RedisConnection,
  workspaceId: string,
  retention: Retention,
): Promise<number> {
  const { maxAgeMs, maxCount } = retention;
  let removed = 0;
  for (let more = true; more; ) {
    const keys = [floorKey(workspaceId), updatesKey(workspaceId)];
    const count = Number(await trim.run(redis, keys, [maxAgeMs, maxCount, REMOVED_PER_RUN]));
    removed += count;
    more = count > 0;
  }
  return removed;
}
