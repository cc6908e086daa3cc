import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis/connections.ts';
import { keepFirst } from '../redis/keep-first.ts';
import { directoryKey } from '../redis/keys.ts';
import type { Publish } from './data-watch.ts';

/** The secret of this installation: the given one, or one that is created once and shared through Redis. */
export async function openSecret(
  redis: RedisConnection,
  given: string | undefined,
  publish: Publish,
  log: { error(message: string): void },
): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(given);
  const key = directoryKey('cursor-secret');
  const known: { secret?: string } = {};
  await publish(async () => {
    const made = known.secret ?? randomBytes(32).toString('hex');
    const kept = await keepFirst(redis, key, made);
    known.secret ??= kept;
    // After a loss of data, a process that has just begun may have been the first to write one. This one can still do all but read cursors
    // of that one and sign for its webhooks.
    if (kept !== known.secret)
      log.error('Redis holds another secret than this process: restart it, or set SWITCHBOARD_SECRET');
  });
  if (known.secret === undefined) throw new Error('Redis did not keep the secret.');
  return Buffer.from(known.secret, 'hex');
}
