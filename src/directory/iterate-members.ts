import type { RedisConnection } from '../redis/connections.ts';
import { viewKey } from './records.ts';

/** The members of a sorted set whose scores are all 0, in their order, `count` at a time. */
export async function* iterateMembers(
  redis: RedisConnection,
  key: string,
  count = 100,
): AsyncGenerator<string[]> {
  for (let from = '-'; ; ) {
    const members = await redis.zrange(key, from, '+', 'BYLEX', 'LIMIT', 0, count);
    if (members.length > 0) yield members;
    if (members.length < count) return;
    from = `(${members.at(-1)}`;
  }
}

/** The ids of all workspaces in their order, read a hundred at a time. */
export async function* iterateWorkspaceIds(redis: RedisConnection): AsyncGenerator<string> {
  for await (const ids of iterateMembers(redis, viewKey('workspaces', 'all'))) yield* ids;
}
