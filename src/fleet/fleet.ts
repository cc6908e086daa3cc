import type { RedisConnection } from '../redis/connections.ts';
import { FLEET_KEY } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { ApiFigures, Member, WorkerFigures } from './figures.ts';

// Longer than any reader needs the figures.
const FORGET_MS = 60_000;

/** A process that has published no figures for this long is missing: it publishes them every second. */
export const MISSING_MS = 3_000;

// A process that seems to have published in the future has done so before Redis' clock was set back: if it lives, it publishes again soon.
const IS_SILENT = `
local function isSilent(now, at, silentMs)
  return now - at > tonumber(silentMs) or at - now > ${MISSING_MS}
end
`;

/**
 * Publishes figures. Also checks two random processes, so that silent ones are removed even if nobody reads.
 *
 * KEYS 1 fleet
 * ARGV 1 name of a process, 2 its figures, 3 ms after which a silent process is removed
 */
const publish = new Script(`#!lua flags=allow-oom
${IS_SILENT}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local some = redis.call('HRANDFIELD', KEYS[1], 2, 'WITHVALUES')
for i = 1, #some, 2 do
  if isSilent(now, string.match(some[i + 1], '^%d+'), ARGV[3]) then redis.call('HDEL', KEYS[1], some[i]) end
end
`);

/**
 * KEYS 1 fleet
 * ARGV 1 ms after which a silent process is removed
 * Result the time, then name, time and figures of each process
 */
const read = new Script(`#!lua flags=allow-oom
${IS_SILENT}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {string.format('%.0f', now)}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local at, figures = string.match(all[i + 1], '^(%d+) (.*)$')
  if isSilent(now, at, ARGV[1]) then
    redis.call('HDEL', KEYS[1], all[i])
  else
    found[#found + 1] = all[i]
    found[#found + 1] = at
    found[#found + 1] = figures
  end
end
return found
`);

/**
 * KEYS 1 fleet
 * ARGV 1 ms after which a silent process does not count
 * Result how many workers take calls
 */
const count = new Script(`#!lua flags=no-writes
${IS_SILENT}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local workers = 0
for _, published in ipairs(redis.call('HVALS', KEYS[1])) do
  local at, figures = string.match(published, '^(%d+) (.*)$')
  -- To decode the figures of all processes would take many times as long.
  local takesCalls = string.find(figures, '"kind":"worker"', 1, true) and string.find(figures, '"isDraining":false', 1, true)
  if takesCalls and not isSilent(now, at, ARGV[1]) then workers = workers + 1 end
end
return workers
`);

/** Publishes the figures of a process. */
export async function publishFigures(
  redis: RedisConnection,
  name: string,
  figures: WorkerFigures | ApiFigures,
): Promise<void> {
  await publish.run(redis, [FLEET_KEY], [name, JSON.stringify(figures), FORGET_MS]);
}

/** Removes a process that ends. */
export async function leaveFleet(redis: RedisConnection, name: string): Promise<void> {
  await redis.hdel(FLEET_KEY, name);
}

/** The processes that published figures in the last minute, and Redis' time. */
export async function readFleet(redis: RedisConnection): Promise<{ now: number; members: Member[] }> {
  const [now, ...rest] = (await read.run(redis, [FLEET_KEY], [FORGET_MS])) as string[];
  const members: Member[] = [];
  for (let i = 0; i + 2 < rest.length; i += 3) {
    const [name = '', at, figures = ''] = rest.slice(i, i + 3);
    members.push({ name, heardAt: Number(at), figures: JSON.parse(figures) });
  }
  return { now: Number(now), members };
}

/** How many workers take calls: those that do not drain and have published their figures in the last few seconds. */
export async function countWorkers(redis: RedisConnection): Promise<number> {
  return (await count.run(redis, [FLEET_KEY], [MISSING_MS])) as number;
}
