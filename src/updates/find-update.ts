import type { RedisConnection } from '../redis/connections.ts';
import { updatesKey } from '../redis/keys.ts';
import { entryIdOf } from './offset.ts';
import { toUpdateEntry, type UpdateEntry } from './update-entry.ts';

/** The update at an offset; null if it is no longer kept. */
export async function findUpdate(
  redis: RedisConnection,
  workspaceId: string,
  offset: string,
): Promise<UpdateEntry | null> {
  const id = entryIdOf(offset);
  const [found] = await redis.xrange(updatesKey(workspaceId), id, id);
  return found === undefined ? null : toUpdateEntry(workspaceId, found[0], found[1]);
}
