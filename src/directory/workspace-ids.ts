import type { RedisConnection } from '../redis/connections.ts';
import { viewKey } from './records.ts';

const IDS_A_READ = 100;

/** The ids of all workspaces in their order, read a hundred at a time. */
export async function* iterateWorkspaceIds(redis: RedisConnection): AsyncGenerator<string> {
  const key = viewKey('workspaces', 'all');
  for (let from = '-'; ; ) {
    const ids = await redis.zrange(key, from, '+', 'BYLEX', 'LIMIT', 0, IDS_A_READ);
    yield* ids;
    if (ids.length < IDS_A_READ) return;
    from = `(${ids.at(-1)}`;
  }
}
