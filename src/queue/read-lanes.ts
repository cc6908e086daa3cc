import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { ASYNC_QUEUE, ASYNC_SHARD } from './async-queue.ts';
import { LANES, type Lane, queueName } from './queues.ts';
import { SERVED_VERSIONS } from './wire.ts';

/** The state of a lane's queues, over all shards. */
export interface LaneState {
  lane: Lane | 'async';
  /** Jobs that wait for a worker or for a permit, and how long the oldest has waited. */
  waiting: number;
  oldestWaitMs: number;
  /** Jobs that workers have taken. */
  taken: number;
}

/**
 * KEYS for each queue of a shard: its waiting jobs, its delayed jobs, its taken jobs
 * Result for each queue: number of waiting jobs, age of the oldest (ms), number of delayed jobs, age of the one that is due last (ms),
 *        number of taken jobs
 */
const readQueues = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function age(prefix, job)
  if not job then return 0 end
  return math.floor(math.max(0, now - tonumber(redis.call('HGET', prefix .. job, 'timestamp') or now)))
end
local found = {}
for i = 1, #KEYS, 3 do
  local prefix = string.sub(KEYS[i], 1, -5)
  found[#found + 1] = redis.call('LLEN', KEYS[i])
  found[#found + 1] = age(prefix, redis.call('LINDEX', KEYS[i], -1))
  found[#found + 1] = redis.call('ZCARD', KEYS[i + 1])
  found[#found + 1] = age(prefix, redis.call('ZREVRANGE', KEYS[i + 1], 0, 0)[1])
  found[#found + 1] = redis.call('LLEN', KEYS[i + 2])
end
return found
`);
const FIELDS = 5;

/** The state of all lanes, with one command per shard. */
export async function readLanes(redis: RedisConnection, shards: number): Promise<LaneState[]> {
  const all = await Promise.all(Array.from({ length: shards }, (_, shard) => readShard(redis, shard)));
  return [...LANES, 'async' as const].map((lane) => {
    const states = all.flat().filter((state) => state.lane === lane);
    return {
      lane,
      waiting: sum(states.map(({ waiting }) => waiting)),
      oldestWaitMs: Math.max(0, ...states.map(({ oldestWaitMs }) => oldestWaitMs)),
      taken: sum(states.map(({ taken }) => taken)),
    };
  });
}

async function readShard(redis: RedisConnection, shard: number): Promise<LaneState[]> {
  const queues: { lane: LaneState['lane']; name: string }[] = LANES.flatMap((lane) =>
    SERVED_VERSIONS.map((version) => ({ lane, name: queueName(lane, version) })),
  );
  if (shard === ASYNC_SHARD) queues.push({ lane: 'async', name: ASYNC_QUEUE });
  const keys = queues.flatMap(({ name }) =>
    ['wait', 'delayed', 'active'].map((part) => `${queuePrefix(shard)}:${name}:${part}`),
  );
  const found = (await readQueues.run(redis, keys, [])) as number[];
  return queues.map(({ lane }, i) => {
    const [waiting = 0, waitingMs = 0, delayed = 0, delayedMs = 0, taken = 0] = found.slice(FIELDS * i);
    // Delayed async calls await their next attempt. Delayed calls of other lanes wait for a permit; the oldest of them is approximated by
    // the one that is due last.
    const isPutBack = lane !== 'async';
    return {
      lane,
      waiting: waiting + (isPutBack ? delayed : 0),
      oldestWaitMs: Math.max(waitingMs, isPutBack ? delayedMs : 0),
      taken,
    };
  });
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
