import type { RedisConnection } from '../redis/connections.ts';
import { DEFAULT_WEIGHT } from './collections.ts';
import { parseRecord, recordsKey } from './records.ts';

/** The weights of workspaces, in the order of `workspaceIds`; the default for one that is gone. */
export async function readWeights(redis: RedisConnection, workspaceIds: string[]): Promise<number[]> {
  const records = await redis.hmget(recordsKey('workspaces'), ...workspaceIds);
  return records.map((text) => (text === null ? DEFAULT_WEIGHT : parseRecord('workspaces', text).weight));
}
