import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';

/** The secret of this Switchboard: the one given, or else one that all processes on this Redis share. */
export async function openSecret(redis: RedisConnection, given: string | undefined): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(given);
  const key = directoryKey('cursor-secret');
  await redis.set(key, randomBytes(32).toString('hex'), 'NX');
  const kept = await redis.get(key);
  if (kept === null) throw new Error('Redis did not keep the secret.');
  return Buffer.from(kept, 'hex');
}
