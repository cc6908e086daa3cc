import type { RedisConnection } from '../redis/connections.ts';
import { metaKey } from '../redis/keys.ts';
import { reserveScript } from '../redis/scripts/reserve.ts';

/** Transaction numbers taken before state is read, and the newest update's offset at that moment (empty: none yet). */
export interface Reservation {
  first: number;
  tail: string;
}

/** Takes `count` txids of a workspace: whatever is read after this sees every write with a lower one. */
export async function reserveTxids(
  redis: RedisConnection,
  workspaceId: string,
  count: number,
): Promise<Reservation> {
  const [first, tail] = (await reserveScript.run(redis, [metaKey(workspaceId)], [count])) as [string, string];
  return { first: Number(first), tail };
}
