import { CALL_STATUSES } from '../../src/async-calls/async-call.ts';
import {
  callName,
  EXPIRING,
  endedLists,
  keysOf,
  listName,
  PLACED,
  WAITING,
} from '../../src/async-calls/call-keys.ts';
import { forgetCallWorkspace } from '../../src/async-calls/call-workspace.ts';
import { forgetDue } from '../../src/async-calls/due-workspaces.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { ledgerKey } from '../../src/redis/keys.ts';
import type { Pace } from './slices.ts';

const CALLS_PER_SLICE = 100;

/** Erases the async calls of a deleted workspace, open and ended ones. */
export async function eraseCalls(redis: RedisConnection, workspaceId: string, pace: Pace): Promise<void> {
  await forgetDue(redis, workspaceId);
  for (const name of [EXPIRING, ...endedLists()]) {
    const [key = ''] = keysOf(workspaceId, [name]);
    for (;;) {
      const startedAt = performance.now();
      const entries = await redis.zrange(key, '0', String(CALLS_PER_SLICE - 1));
      if (entries.length === 0) break;
      const places = entries.map((entry) => entry.split(' ') as [string, string]);
      const accounts = [...new Set(places.map(([, accountId]) => accountId))];
      const ids = places.map(([id]) => id);
      await redis.unlink(
        ...ids.map((id) => ledgerKey(workspaceId, id)),
        ...keysOf(workspaceId, ids.map(callName)),
      );
      await redis.unlink(...keysOf(workspaceId, accounts.flatMap(listNames)));
      await Promise.all(ids.map((id) => forgetCallWorkspace(redis, id)));
      // Last, so that they are found again after an interruption.
      await redis.zrem(key, ...entries);
      await pace.rest(startedAt);
    }
  }
  await redis.unlink(...keysOf(workspaceId, [WAITING, PLACED, ...listNames()]));
}

function listNames(accountId?: string): string[] {
  return [undefined, ...CALL_STATUSES].map((status) => listName({ status, accountId }));
}
