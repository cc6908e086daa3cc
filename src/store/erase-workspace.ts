import { commandScope, mastersOf, type RedisConnection } from '../redis/connections.ts';
import { headsKey, workspaceKeys } from '../redis/keys.ts';

const KEYS_A_STEP = 1_000;

/** Removes all that is kept of a deleted workspace beside its record; what batches of its calls recorded goes by itself. */
export async function eraseWorkspace(redis: RedisConnection, workspaceId: string): Promise<void> {
  for (const server of mastersOf(redis)) {
    let cursor = '0';
    do {
      const [next, keys] = await server.scan(
        cursor,
        'MATCH',
        workspaceKeys(workspaceId),
        'COUNT',
        KEYS_A_STEP,
      );
      if (keys.length > 0) await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  }
  await redis.hdel(headsKey(commandScope(redis, workspaceId)), workspaceId);
}
