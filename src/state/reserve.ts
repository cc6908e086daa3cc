import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { headsKey } from '../redis/keys.ts';
import { reserveScript } from './scripts/reserve.ts';
import { TurnGatherings } from './turn-batches.ts';

/** Transaction numbers taken before state is read, and the newest update's offset at that moment (empty: none yet). */
export interface Reservation {
  first: number;
  tail: string;
}

interface Gathering {
  scope: string;
  wanted: (string | number)[];
  taken: Promise<string[]>;
  settle(taken: Promise<string[]>): void;
}

// Redis does nothing else while a script runs.
const RUNS_MAX = 128;

const gatherings = new TurnGatherings<Gathering>({
  begin(scope) {
    const gathering: Partial<Gathering> = { scope, wanted: [] };
    gathering.taken = new Promise((resolve) => {
      gathering.settle = resolve;
    });
    return gathering as Gathering;
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
  const gathering = gatherings.current(redis, commandScope(redis, workspaceId));
  const place = gathering.wanted.push(workspaceId, count) - 2;
  const taken = await gathering.taken;
  return { first: Number(taken[place]), tail: taken[place + 1] as string };
}
