import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from '../redis/connections.ts';
import { drainKey, drainNoteKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

// A worker looks every second.
const ASKED_FOR_MS = 60_000;
// Longer than the API may take to note it. It stays after the worker was asked: another request may have found just before that it was not.
const NOTED_FOR_MS = 15_000;
const LOOK_AGAIN_MS = 50;

/**
 * KEYS 1 key of a worker
 * ARGV 1 time to live (ms)
 */
const ask = new Script(`#!lua flags=allow-oom
return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
`);

/**
 * KEYS 1 key of the note that a worker is to drain
 * ARGV 1 time to live (ms), 2 request
 * Result: 1, or 0 if another request has noted it
 */
const begin = new Script(`#!lua flags=allow-oom
-- A command that is resent after the connection was cut finds its own note.
if redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[1]) or redis.call('GET', KEYS[1]) == ARGV[2] then return 1 end
return 0
`);

/** Runs `note` and asks a worker to drain. If another request does so now, waits for that. If `note` fails, the worker is not asked. */
export async function askToDrainOnce(
  redis: RedisConnection,
  name: string,
  note: () => Promise<void>,
): Promise<void> {
  const request = randomBytes(9).toString('base64url');
  while (!(await isAskedToDrain(redis, name))) {
    if ((await begin.run(redis, [drainNoteKey(name)], [NOTED_FOR_MS, request])) === 1) {
      try {
        await note();
        return await askToDrain(redis, name);
      } catch (error) {
        await redis.unlink(drainNoteKey(name)).catch(() => undefined);
        throw error;
      }
    }
    await sleep(LOOK_AGAIN_MS);
  }
  // A repeat asks for longer.
  await askToDrain(redis, name);
}

/** Asks a worker to finish its calls and to end. */
async function askToDrain(redis: RedisConnection, name: string): Promise<void> {
  await ask.run(redis, [drainKey(name)], [ASKED_FOR_MS]);
}

/** Whether a worker was asked to drain. */
export async function isAskedToDrain(redis: RedisConnection, name: string): Promise<boolean> {
  return (await redis.exists(drainKey(name))) === 1;
}
