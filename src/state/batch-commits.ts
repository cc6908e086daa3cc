import { pack } from 'msgpackr';
import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { isOutOfMemory } from '../redis/failure.ts';
import { bytesKey, headsKey, updatesKey, wakeChannel } from '../redis/keys.ts';
import { bytesMaxOf } from './byte-budget.ts';
import { commitScript, commitWhenFullScript } from './scripts/commit.ts';
import type { StateKey } from './state-key.ts';
import type { EncodedTransaction } from './transaction.ts';
import { TurnGatherings } from './turn-batches.ts';

// Redis does nothing else while a script runs: this many small transactions take it a millisecond or two.
const TRANSACTIONS_MAX = 32;
const SIZE_MAX = 512 * 1024;

/** What the commit script answers for one transaction; see there. */
export type CommitAnswer = [kind: string, first?: string, second?: string];

interface Waiter {
  resolve(answer: CommitAnswer): void;
  reject(error: unknown): void;
}

interface Gathering {
  keys: string[];
  places: Map<string, number>;
  /** How often each key is written to, by its place. */
  writes: number[];
  /** The place of each workspace's updates stream, followed by the workspace's id. */
  workspaces: (number | string)[];
  transactions: (number | string)[][];
  size: number;
  waiters: Waiter[];
}

const gatherings = new TurnGatherings<Gathering>({
  begin: (scope) => ({
    keys: [headsKey(scope)],
    places: new Map(),
    writes: [],
    workspaces: [],
    transactions: [],
    size: 0,
    waiters: [],
  }),
  isFull: ({ waiters, size }) => waiters.length >= TRANSACTIONS_MAX || size >= SIZE_MAX,
  send,
});

/** Commits a transaction in one command with the others that are committed over this connection in the same turn of the event loop. */
export function gatherCommit(
  redis: RedisConnection,
  { workspaceId, ledger }: { workspaceId: string; ledger: string },
  { keys, writes, args, size }: EncodedTransaction,
  header: (number | string)[],
): Promise<CommitAnswer> {
  const gathering = gatherings.current(redis, commandScope(redis, workspaceId));
  const transaction = header;
  transaction.push(placeOfWorkspace(gathering, workspaceId), placeOf(gathering, ledger), keys.length);
  for (let i = 0; i < keys.length; i += 1) {
    const place = placeOf(gathering, (keys[i] as StateKey).key);
    transaction.push(place);
    gathering.writes[place] = (gathering.writes[place] ?? 0) + (writes[i] as number);
  }
  for (const arg of args) transaction.push(arg);
  gathering.transactions.push(transaction);
  gathering.size += size;
  return new Promise((resolve, reject) => gathering.waiters.push({ resolve, reject }));
}

function placeOfWorkspace({ keys, places, workspaces }: Gathering, workspaceId: string): number {
  let place = places.get(workspaceId);
  if (place === undefined) {
    place = keys.push(updatesKey(workspaceId));
    keys.push(wakeChannel(workspaceId), bytesKey(workspaceId));
    places.set(workspaceId, place);
    workspaces.push(place, workspaceId);
  }
  return place;
}

// By its name: a key that stood here twice would be read behind what is still to be written to it.
function placeOf({ keys, places }: Gathering, key: string): number {
  let place = places.get(key);
  if (place === undefined) {
    place = keys.push(key);
    places.set(key, place);
  }
  return place;
}

function send(redis: RedisConnection, { keys, writes, workspaces, transactions, waiters }: Gathering): void {
  const writtenAgain: number[] = [];
  writes.forEach((count, place) => {
    if (count > 1) writtenAgain.push(place);
  });
  const args = [pack([writtenAgain, workspaces, ...transactions]), bytesMaxOf(redis)];
  const settle = (answers: unknown) => {
    for (const [index, answer] of (answers as CommitAnswer[]).entries()) waiters[index]?.resolve(answer);
  };
  const fail = (error: unknown) => {
    for (const { reject } of waiters) reject(error);
  };
  commitScript.run(redis, keys, args).then(settle, (error) => {
    if (!isOutOfMemory(error)) return fail(error);
    const unlessFull = (answer: CommitAnswer): CommitAnswer =>
      answer[0] === 'full' ? ['failed', (error as Error).message] : answer;
    commitWhenFullScript
      .run(redis, keys, args)
      .then((answers) => settle((answers as CommitAnswer[]).map(unlessFull)), fail);
  });
}
