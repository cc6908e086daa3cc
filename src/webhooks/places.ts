import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type LineOwner, lineKey } from './line-keys.ts';

/** How many deliveries are on their way to one webhook at once. */
const PLACES = 8;
const FORGET_MS = 600_000;

/**
 * KEYS 1 places, 2 crowd
 * ARGV 1 who wants a place, 2 now, 3 until when it is held, 4 places there are, 5 after how long both are forgotten (ms)
 * Result: 1, or 0 when all places are taken: it then waits in the crowd.
 */
const take = new Script(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
local has = redis.call('ZSCORE', KEYS[1], ARGV[1]) or redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[4])
if has then
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return has and 1 or 0
`);

/**
 * KEYS 1 places, 2 crowd
 * ARGV 1 who leaves its place
 * Result: who has waited longest for one, or nil.
 */
const leave = new Script(`
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('ZPOPMIN', KEYS[2])[1]
`);

/** Takes or keeps a place for `ms`; false when there is none now. The name is the line or the delivery that wants it. */
export async function takePlace(
  redis: RedisConnection,
  owner: LineOwner,
  name: string,
  ms: number,
): Promise<boolean> {
  const now = Date.now();
  const taken = await take.run(redis, keysOf(owner), [name, now, now + ms, PLACES, FORGET_MS]);
  return taken === 1;
}

/** Gives a place back; whoever has waited longest for one is named, if there is anyone. */
export async function leavePlace(
  redis: RedisConnection,
  owner: LineOwner,
  name: string,
): Promise<string | null> {
  return (await leave.run(redis, keysOf(owner), [name])) as string | null;
}

function keysOf(owner: LineOwner): string[] {
  return [lineKey(owner, 'places'), lineKey(owner, 'crowd')];
}
