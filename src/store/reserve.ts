import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { metaKey } from '../redis/keys.ts';
import { reserveScript } from '../redis/scripts/reserve.ts';

/** Transaction numbers taken before state is read, and the newest update's offset at that moment (empty: none yet). */
export interface Reservation {
  first: number;
  tail: string;
}

interface Gathering {
  keys: string[];
  counts: number[];
  taken: Promise<string[]>;
}

// Redis does nothing else while a script runs.
const RUNS_MAX = 128;

const gatherings = new WeakMap<RedisConnection, Map<string, Gathering>>();

/**
 * Takes `count` txids of a workspace: whatever is read after this sees every write with a lower one. What is taken over a
 * connection in one turn of the event loop is taken with one command.
 */
export async function reserveTxids(
  redis: RedisConnection,
  workspaceId: string,
  count: number,
): Promise<Reservation> {
  const gathering = gatheringFor(redis, commandScope(redis, workspaceId));
  const place = gathering.keys.push(metaKey(workspaceId)) - 1;
  gathering.counts.push(count);
  const taken = await gathering.taken;
  return { first: Number(taken[2 * place]), tail: taken[2 * place + 1] as string };
}

function gatheringFor(redis: RedisConnection, scope: string): Gathering {
  const ofRedis = gatherings.get(redis) ?? new Map<string, Gathering>();
  gatherings.set(redis, ofRedis);
  const known = ofRedis.get(scope);
  if (known && known.keys.length < RUNS_MAX) return known;
  const keys: string[] = [];
  const counts: number[] = [];
  const taken = new Promise<string[]>((resolve, reject) => {
    process.nextTick(() => {
      if (ofRedis.get(scope) === gathering) ofRedis.delete(scope);
      (reserveScript.run(redis, keys, counts) as Promise<string[]>).then(resolve, reject);
    });
  });
  const gathering = { keys, counts, taken };
  ofRedis.set(scope, gathering);
  return gathering;
}
