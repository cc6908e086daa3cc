import { makersOf, type Webhook } from '../../src/directory/collections.ts';
import { findGone } from '../../src/directory/deletions.ts';
import { iterateMembers } from '../../src/directory/iterate-members.ts';
import { parseRecord, recordsKey, viewKey } from '../../src/directory/records.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';

/** The webhooks of a workspace. */
export async function listWorkspaceWebhooks(redis: RedisConnection, workspaceId: string): Promise<Webhook[]> {
  return readAll(redis, await redis.zrange(viewKey('webhooks', `workspace:${workspaceId}`), '0', '-1'));
}

/** Those that are enabled, and no owner of which is being deleted. */
export async function listEnabledWebhooks(redis: RedisConnection, workspaceId: string): Promise<Webhook[]> {
  const webhooks = await listWorkspaceWebhooks(redis, workspaceId);
  const enabled = webhooks.filter(({ status }) => status === 'enabled');
  const gone = await findGone(redis, [...new Set(enabled.flatMap(ownersOf))]);
  return enabled.filter((webhook) => !ownersOf(webhook).some((id) => gone.has(id)));
}

function ownersOf(webhook: Webhook): string[] {
  return [webhook.organizationId, webhook.workspaceId, ...makersOf(webhook)];
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
