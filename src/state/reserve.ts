import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { headsKey } from '../redis/keys.ts';
import { reserveScript } from './reserve-script.ts';
import { TurnBatches } from './turn-batches.ts';

/** Transaction numbers taken before state is read, and the newest update's offset at that moment (empty: none yet). */
export interface Reservation {
  first: number;
  tail: string;
}

interface Batch {
  scope: string;
  wanted: (string | number)[];
  taken: Promise<string[]>;
  settle(taken: Promise<string[]>): void;
}

// Redis does nothing else while a script runs.
const RUNS_MAX = 128;

const batches = new TurnBatches<Batch>({
  begin(scope) {
    const batch: Partial<Batch> = { scope, wanted: [] };
    batch.taken = new Promise((resolve) => {
      batch.settle = resolve;
    });
    return batch as Batch;
  },
  isFull: ({ wanted }) => wanted.length >= 2 * RUNS_MAX,
  send: (redis, { scope, wanted, settle }) =>
    settle(reserveScript.run(redis, [headsKey(scope)], wanted) as Promise<string[]>),
});

/**
 * Takes `count` txids of a workspace: whatever is read after this sees every write with a lower one. What is taken over a
 * connection in one turn of the event loop is taken with one command.
 */
export async function reserveTxids(
  redis: RedisConnection,
  workspaceId: string,
  count: number,
): Promise<Reservation> {
  const batch = batches.current(redis, commandScope(redis, workspaceId));
  const index = batch.wanted.push(workspaceId, count) - 2;
  const taken = await batch.taken;
  return { first: Number(taken[index]), tail: taken[index + 1] as string };
}
