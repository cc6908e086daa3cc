import { cutsOf, type RedisConnection } from '../redis/connections.ts';
import { keyIndexKey, stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { StateKey } from './state-key.ts';
import type { EncodedTransaction } from './transaction-types.ts';

// For so long a process relies on its having noted a key. The name of a key that is gone stays twice as long, so that a process
// that makes it again has either noted it since or notes it anew.
const NOTED_MS = 60 * 60_000;
const NAMES_A_STEP = 200;

/**
 * KEYS  1 index, then the state keys that the names stand for
 * ARGV  1 now (s), then the names
 * Result how many names were forgotten, because there is no such key any more; the others count as noted now
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
 * Notes the state keys that a transaction may be about to make, so that all that a workspace keeps can be found without looking
 * through the whole of Redis. What this process has noted within the hour is left out: a call that makes no new keys costs nothing. To be called before the commit is sent, over the same connection; a name too many does no
 * harm.
 */
export function noteKeys(
  redis: RedisConnection,
  workspaceId: string,
  { keys, isAddedTo }: Pick<EncodedTransaction, 'keys' | 'isAddedTo'>,
): void {
  const now = Date.now();
  const cuts = cutsOf(redis);
  const news: StateKey[] = [];
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as StateKey;
    if ((key.notedUntil < now || key.notedCuts < cuts) && isAddedTo[i]) news.push(key);
  }
  if (news.length > 0) addNames(redis, workspaceId, news, now, cuts);
}

function addNames(
  redis: RedisConnection,
  workspaceId: string,
  keys: StateKey[],
  now: number,
  cuts: number,
): void {
  const seconds = Math.floor(now / 1_000);
  for (const key of keys) {
    key.notedUntil = now + NOTED_MS;
    // A Redis that was away may have lost what it had been told.
    key.notedCuts = cuts;
  }
  redis.zadd(keyIndexKey(workspaceId), ...keys.flatMap(({ name }) => [seconds, name])).catch(() => {
    for (const key of keys) key.notedUntil = 0;
  });
}

/** The full state keys of a workspace, a few at a time; one may come twice, or be there no longer. Not those of its async calls. */
export async function* iterateStateKeys(
  redis: RedisConnection,
  workspaceId: string,
): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, found] = await redis.zscan(keyIndexKey(workspaceId), cursor, 'COUNT', NAMES_A_STEP);
    cursor = next;
    const names = found.filter((_, i) => i % 2 === 0);
    yield names.map((name) => stateKey(workspaceId, name));
  } while (cursor !== '0');
}

/** Forgets the names of keys that are long gone. */
export async function forgetGoneKeys(redis: RedisConnection, workspaceId: string): Promise<void> {
  const index = keyIndexKey(workspaceId);
  for (;;) {
    const now = Math.floor(Date.now() / 1_000);
    const before = String(now - (2 * NOTED_MS) / 1_000);
    const names = await redis.zrange(index, '-inf', before, 'BYSCORE', 'LIMIT', 0, NAMES_A_STEP);
    if (names.length === 0) return;
    await forget.run(redis, [index, ...names.map((name) => stateKey(workspaceId, name))], [now, ...names]);
  }
}
