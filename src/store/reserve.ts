import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { metaKey, txidKey } from '../redis/keys.ts';
import { reserveScript } from '../redis/scripts/reserve.ts';
import { TurnGatherings } from './turn-gatherings.ts';

/** Transaction numbers taken before state is read, and the newest update's offset at that moment (empty: none yet). */
export interface Reservation {
  first: number;
  tail: string;
}

interface Gathering {
  keys: string[];
  counts: number[];
  taken: Promise<string[]>;
  settle(taken: Promise<string[]>): void;
}

// Redis does nothing else while a script runs.
const RUNS_MAX = 128;

const gatherings = new TurnGatherings<Gathering>({
  begin(scope) {
    const gathering: Partial<Gathering> = { keys: [txidKey(scope)], counts: [] };
    gathering.taken = new Promise((resolve) => {
      gathering.settle = resolve;
    });
    return gathering as Gathering;
  },
  isFull: ({ counts }) => counts.length >= RUNS_MAX,
  send: (redis, { keys, counts, settle }) =>
    settle(reserveScript.run(redis, keys, counts) as Promise<string[]>),
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
  gathering.keys.push(metaKey(workspaceId));
  const place = gathering.counts.push(count) - 1;
  const taken = await gathering.taken;
  return { first: Number(taken[2 * place]), tail: taken[2 * place + 1] as string };
}
