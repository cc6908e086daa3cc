import { disconnectsOf, type RedisConnection } from '../redis/connections.ts';
import { keyIndexKey, stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { StateKey } from './state-key.ts';
import type { EncodedTransaction } from './transaction-types.ts';

// How long a process relies on having indexed a key. The index keeps the name of a deleted key twice as long. So a process that creates the
// key again has either indexed it since or indexes it again.
const INDEXED_MS = 60 * 60_000;
const NAMES_PER_STEP = 200;

/**
 * KEYS  1 index, then the state keys that the names stand for
 * ARGV  1 now (s), then the names
 * Result the number of names removed because their keys no longer exist; the others count as noted now
 */
const forget = new Script(`#!lua flags=allow-oom
local gone = 0
for i = 2, #ARGV do
  if redis.call('EXISTS', KEYS[i]) == 0 then gone = gone + redis.call('ZREM', KEYS[1], ARGV[i])
  else redis.call('ZADD', KEYS[1], 'XX', ARGV[1], ARGV[i]) end
end
return gone
`);

/**
 * KEYS  1 index
 * ARGV  1 now (s), 2 name
 *
 * For commits that have created keys already, also while Redis is out of memory.
 */
const noteCommitted = new Script(`#!lua flags=allow-oom
return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
`);

/**
 * Adds the state keys that a transaction may create to the workspace's index, so that all keys of a workspace can be found without scanning
 * Redis. Keys that this process has indexed within the hour are skipped: a call that creates no keys costs nothing. Call it before the
 * commit is sent, over the same connection. A name without a key does no harm.
 */
export function indexKeys(
  redis: RedisConnection,
  workspaceId: string,
  { keys, isAddedTo }: Pick<EncodedTransaction, 'keys' | 'isAddedTo'>,
): void {
  const now = Date.now();
  const disconnects = disconnectsOf(redis);
  const news: StateKey[] = [];
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as StateKey;
    if ((key.indexedUntil < now || key.disconnects < disconnects) && isAddedTo[i]) news.push(key);
  }
  if (news.length > 0) addNames(redis, workspaceId, news, now, disconnects);
}

function addNames(
  redis: RedisConnection,
  workspaceId: string,
  keys: StateKey[],
  now: number,
  disconnects: number,
): void {
  const seconds = Math.floor(now / 1_000);
  for (const key of keys) {
    key.indexedUntil = now + INDEXED_MS;
    // After a failover, Redis may have lost the name.
    key.disconnects = disconnects;
  }
  redis.zadd(keyIndexKey(workspaceId), ...keys.flatMap(({ name }) => [seconds, name])).catch(() => {
    for (const key of keys) key.indexedUntil = 0;
  });
}

/**
 * Adds the keys of a transaction that was committed although their names could not be added before, as Redis is out of memory, or were lost:
 * a failover came after the names were added, and the commit was sent again after it.
 */
export function indexCommitted(
  redis: RedisConnection,
  workspaceId: string,
  { keys, isAddedTo }: Pick<EncodedTransaction, 'keys' | 'isAddedTo'>,
): void {
  const disconnects = disconnectsOf(redis);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as StateKey;
    const isNoted = key.indexedUntil !== 0 && key.disconnects >= disconnects;
    if (isNoted || !isAddedTo[i]) continue;
    const seconds = Math.floor(Date.now() / 1_000);
    noteCommitted.run(redis, [keyIndexKey(workspaceId)], [seconds, key.name]).catch(() => undefined);
  }
}

/** The full state keys of a workspace, a few at a time, without those of its async calls. Some may come twice, or no longer exist. */
export async function* iterateStateKeys(
  redis: RedisConnection,
  workspaceId: string,
): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, found] = await redis.zscan(keyIndexKey(workspaceId), cursor, 'COUNT', NAMES_PER_STEP);
    cursor = next;
    const names = found.filter((_, i) => i % 2 === 0);
    yield names.map((name) => stateKey(workspaceId, name));
  } while (cursor !== '0');
}

/** Removes the names of keys that were deleted long ago. */
export async function forgetGoneKeys(redis: RedisConnection, workspaceId: string): Promise<void> {
  const index = keyIndexKey(workspaceId);
  for (;;) {
    const now = Math.floor(Date.now() / 1_000);
    const before = String(now - (2 * INDEXED_MS) / 1_000);
    const names = await redis.zrange(index, '-inf', before, 'BYSCORE', 'LIMIT', 0, NAMES_PER_STEP);
    if (names.length === 0) return;
    await forget.run(redis, [index, ...names.map((name) => stateKey(workspaceId, name))], [now, ...names]);
  }
}
