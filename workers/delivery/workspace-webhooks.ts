import type { Webhook } from '../../src/directory/collections.ts';
import { parseRecord, recordsKey, viewKey } from '../../src/directory/records.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';

const IDS_A_READ = 100;

/** The webhooks of a workspace. */
export async function listWorkspaceWebhooks(redis: RedisConnection, workspaceId: string): Promise<Webhook[]> {
  return readAll(redis, await redis.zrange(viewKey('webhooks', `workspace:${workspaceId}`), '0', '-1'));
}

/** All webhooks, read a few at a time. */
export async function* iterateWebhooks(redis: RedisConnection): AsyncGenerator<Webhook> {
  const key = viewKey('webhooks', 'all');
  for (let from = '-'; ; ) {
    const ids = await redis.zrange(key, from, '+', 'BYLEX', 'LIMIT', 0, IDS_A_READ);
    yield* await readAll(redis, ids);
    if (ids.length < IDS_A_READ) return;
    from = `(${ids.at(-1)}`;
  }
}

async function readAll(redis: RedisConnection, ids: string[]): Promise<Webhook[]> {
  if (ids.length === 0) return [];
  const texts = await redis.hmget(recordsKey('webhooks'), ...ids);
  return texts.flatMap((text) => (text === null ? [] : [parseRecord('webhooks', text)]));
}
