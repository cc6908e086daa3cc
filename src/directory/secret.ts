import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import type { Publish } from './data-watch.ts';

/** The secret of this installation: the given one, or one that is created once and shared through Redis. */
export async function openSecret(
  redis: RedisConnection,
  given: string | undefined,
  publish: Publish,
): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(given);
  const key = directoryKey('cursor-secret');
  let secret = randomBytes(32).toString('hex');
  await publish(() => redis.set(key, secret, 'NX'));
  const kept = await redis.get(key);
  if (kept === null) throw new Error('Redis did not keep the secret.');
  secret = kept;
  return Buffer.from(kept, 'hex');
}
