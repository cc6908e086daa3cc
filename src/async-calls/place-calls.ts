import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { PLACED_MAX } from './accept-call.ts';
import type { CallRef } from './attempt-call.ts';
import { keysOf, PLACED, WAITING } from './call-keys.ts';

/** How long after a call's job was added it is added again, in case it was lost. */
export const PLACED_CHECK_MS = 10_000;

/**
 * KEYS  1 waiting, 2 placed
 * ARGV  1 most calls on the queue
 * Result the entries whose jobs are to be added
 */
const place = new Script(`
local room = ARGV[1] - redis.call('ZCARD', KEYS[2])
if room <= 0 then return {} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local due = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, room)
for _, entry in ipairs(due) do
  redis.call('ZREM', KEYS[1], entry)
  redis.call('ZADD', KEYS[2], now, entry)
end
return due
`);

/**
 * KEYS  1 placed
 * ARGV  1 least age of a placement (ms)
 * Result the entries placed that long ago; they count as placed now
 */
const overdue = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local old = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[1]), 'BYSCORE')
for _, entry in ipairs(old) do redis.call('ZADD', KEYS[1], string.format('%.0f', now), entry) end
return old
`);

/** Places calls that are due, as far as the queue has room for the workspace; the caller adds their jobs. */
export async function placeWaitingCalls(redis: RedisConnection, workspaceId: string): Promise<CallRef[]> {
  const entries = await place.run(redis, keysOf(workspaceId, [WAITING, PLACED]), [PLACED_MAX]);
  return (entries as string[]).map((entry) => toCallRef(workspaceId, entry));
}

/** The calls whose jobs were added a while ago; the caller adds them again, in case they were lost. */
export async function findOverdueCalls(redis: RedisConnection, workspaceId: string): Promise<CallRef[]> {
  const entries = await overdue.run(redis, keysOf(workspaceId, [PLACED]), [PLACED_CHECK_MS]);
  return (entries as string[]).map((entry) => toCallRef(workspaceId, entry));
}

/** Parses an entry. */
export function toCallRef(workspaceId: string, entry: string): CallRef {
  const [callId = '', accountId = ''] = entry.split(' ');
  return { workspaceId, callId, accountId };
}
