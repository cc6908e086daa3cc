import type { Redis } from 'ioredis';
import { workspaceKeys } from '../redis/keys.ts';

const KEYS_A_STEP = 1_000;

/** Removes all that is kept of a deleted workspace beside its record: state, ledger, updates. */
export async function eraseWorkspace(redis: Redis, workspaceId: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', workspaceKeys(workspaceId), 'COUNT', KEYS_A_STEP);
    if (keys.length > 0) await redis.unlink(...keys);
    cursor = next;
  } while (cursor !== '0');
}
