import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { headsKey } from '../redis/keys.ts';
import { reserveScript } from './reserve-script.ts';
import { TurnBatches } from './turn-batches.ts';

/** Txids reserved before state is read, and the offset of the newest update at that moment (empty: none yet). */
export interface Reservation {
  first: number;
  tail: string;
}

interface Batch {
  scope: string;
  workspaceIds: string[];
  count: number;
  /** The first txid, then the tail of each workspace. */
  taken: Promise<(string | null)[]>;
  settle(taken: Promise<(string | null)[]>): void;
}

// A script blocks Redis.
const RUNS_MAX = 128;

const batches = new TurnBatches<Batch>({
  begin(scope) {
    const batch: Partial<Batch> = { scope, workspaceIds: [], count: 0 };
    batch.taken = new Promise((resolve) => {
      batch.settle = resolve;
    });
    return batch as Batch;
  },
  isFull: ({ workspaceIds }) => workspaceIds.length >= RUNS_MAX,
  send: (redis, { scope, workspaceIds, count, settle }) =>
    settle(
      reserveScript.run(redis, [headsKey(scope)], [count, ...workspaceIds]) as Promise<(string | null)[]>,
    ),
});

/**
 * Reserves `count` txids of a workspace: later reads see every write with a lower txid. All reservations of a connection in one turn of the
 * event loop share one command.
 */
export function reserveTxids(
  redis: RedisConnection,
  workspaceId: string,
  count: number,
): Promise<Reservation> {
  const batch = batches.current(redis, commandScope(redis, workspaceId));
  const before = batch.count;
  batch.count += count;
  const index = batch.workspaceIds.push(workspaceId);
  return batch.taken.then((taken) => ({ first: Number(taken[0]) + before, tail: taken[index] ?? '' }));
}
