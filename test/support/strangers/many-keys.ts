import { randomBytes } from 'node:crypto';
import { API_KEY_INDEX, recordsKey, viewKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';

const KEYS_PER_STEP = 2_000;

/** Gives a workspace that many API keys, much faster than by asking the API for them; nobody knows their secrets. */
export async function addManyKeys(
  redis: RedisConnection,
  { id: workspaceId, organizationId }: { id: string; organizationId: string },
  count: number,
): Promise<void> {
  for (let made = 0; made < count; made += KEYS_PER_STEP) {
    const size = Math.min(KEYS_PER_STEP, count - made);
    const records = Array.from({ length: size }, () => ({
      id: newId('apiKey'),
      name: 'One of many',
      scopes: ['calls:write'],
      organizationId,
      workspaceId,
      expiresAt: null,
      rateLimit: null,
      createdAt: new Date().toISOString(),
      hash: randomBytes(32).toString('hex'),
    }));
    await redis.hset(
      recordsKey('api-keys'),
      ...records.flatMap((record) => [record.id, JSON.stringify(record)]),
    );
    await redis.hset(API_KEY_INDEX, ...records.flatMap(({ hash, id }) => [hash, id]));
    for (const view of ['all', `organization:${organizationId}`, `workspace:${workspaceId}`] as const) {
      await redis.zadd(viewKey('api-keys', view), ...records.flatMap(({ id }) => [0, id]));
    }
  }
}
