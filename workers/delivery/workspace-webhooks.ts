import type { Webhook } from '../../src/directory/collections.ts';
import { iterateMembers } from '../../src/directory/iterate-members.ts';
import { parseRecord, recordsKey, viewKey } from '../../src/directory/records.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';

/** The webhooks of a workspace. */
export async function listWorkspaceWebhooks(redis: RedisConnection, workspaceId: string): Promise<Webhook[]> {
  return readAll(redis, await redis.zrange(viewKey('webhooks', `workspace:${workspaceId}`), '0', '-1'));
}

/** All webhooks, read a hundred at a time. */
export async function* iterateWebhooks(redis: RedisConnection): AsyncGenerator<Webhook> {
  for await (const ids of iterateMembers(redis, viewKey('webhooks', 'all'))) yield* await readAll(redis, ids);
}

async function readAll(redis: RedisConnection, ids: string[]): Promise<Webhook[]> {
  if (ids.length === 0) return [];
  const texts = await redis.hmget(recordsKey('webhooks'), ...ids);
  return texts.flatMap((text) => (text === null ? [] : [parseRecord('webhooks', text)]));
}
