import { commandScope, type RedisConnection } from './connections.ts';
import { headsKey } from './keys.ts';

/** The offset of a workspace's newest update; '' if it has none yet. */
export async function findTail(redis: RedisConnection, workspaceId: string): Promise<string> {
  return (await redis.hget(headsKey(commandScope(redis, workspaceId)), workspaceId)) ?? '';
}
