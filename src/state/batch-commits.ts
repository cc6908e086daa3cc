import { pack } from 'msgpackr';
import { bytesMaxOf } from '../bytes/byte-budget.ts';
import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { isOutOfMemory } from '../redis/failure.ts';
import { bytesKey, headsKey, updatesKey, wakeChannel } from '../redis/keys.ts';
import type { Script } from '../redis/script.ts';
import type { CommitSpan } from '../tracing/trace.ts';
import { commitScript, commitWhenFullScript } from './commit-script.ts';
import type { StateKey } from './state-key.ts';
import type { EncodedTransaction } from './transaction-types.ts';
import { TurnBatches } from './turn-batches.ts';

// A script blocks Redis: this many small transactions block it for a millisecond or two.
const TRANSACTIONS_MAX = 32;
const SIZE_MAX = 96 * 1024;

/** The commit script's answer for one transaction: see `commit-script.ts`. */
export type CommitAnswer = [kind: string, first: string, second: string];

interface Waiter {
  resolve(answer: CommitAnswer): void;
  reject(error: unknown): void;
}

interface Batch {
  keys: string[];
  indexes: Map<string, number>;
  /** How many writes each key gets, by its index. */
  writes: number[];
  /** The index of each workspace's updates stream, followed by the workspace's id. */
  workspaces: (number | string)[];
  /** The JSON of users and chats that updates mention, each text once -> its index among the script's arguments. */
  mentions: Map<string, number>;
  transactions: (number | string)[][];
  size: number;
  waiters: Waiter[];
  /**
   * The spans of traced calls. `updates` alternates a transaction's index in the script's first argument and the `traceparent` kept with
   * its updates.
   */
  traced: { spans: CommitSpan[]; updates: (number | string)[] } | null;
}

const batches = new TurnBatches<Batch>({
  begin: (scope) => ({
    keys: [headsKey(scope)],
    indexes: new Map(),
    writes: [],
    workspaces: [],
    mentions: new Map(),
    transactions: [],
    size: 0,
    waiters: [],
    traced: null,
  }),
  isFull: ({ waiters, size }) => waiters.length >= TRANSACTIONS_MAX || size >= SIZE_MAX,
  send,
});

/** Commits a transaction, in one command with all others of this connection and this turn of the event loop. */
export function batchCommit(
  redis: RedisConnection,
  { workspaceId, ledger }: { workspaceId: string; ledger: string },
  { keys, writes, args, size, updates }: EncodedTransaction,
  header: (number | string)[],
  span?: CommitSpan,
): Promise<CommitAnswer> {
  const batch = batches.current(redis, commandScope(redis, workspaceId));
  const places = [indexOfWorkspace(batch, workspaceId), indexOf(batch, ledger), keys.length];
  for (let i = 0; i < keys.length; i += 1) {
    const index = indexOf(batch, (keys[i] as StateKey).key);
    places.push(index);
    batch.writes[index] = (batch.writes[index] ?? 0) + (writes[i] as number);
  }
  // The fastest way to join so many arrays.
  const transaction = header.concat(places, ...args);
  // The JSON of its users and chats is the last argument of each update, and updates come last.
  for (let at = transaction.length - 1; updates > 0 && at > transaction.length - 5 * updates; at -= 5) {
    transaction[at] = indexOfMention(batch, transaction[at] as string);
  }
  batch.transactions.push(transaction);
  batch.size += size;
  if (span !== undefined) addSpan(batch, span, updates);
  return new Promise((resolve, reject) => batch.waiters.push({ resolve, reject }));
}

function addSpan(batch: Batch, span: CommitSpan, updates: number): void {
  batch.traced ??= { spans: [], updates: [] };
  batch.traced.spans.push(span);
  // The script counts from 1, and two arrays come first.
  if (updates > 0) batch.traced.updates.push(batch.transactions.length + 2, span.append(updates));
}

function indexOfWorkspace({ keys, indexes, workspaces }: Batch, workspaceId: string): number {
  let index = indexes.get(workspaceId);
  if (index === undefined) {
    index = keys.push(updatesKey(workspaceId));
    keys.push(wakeChannel(workspaceId), bytesKey(workspaceId));
    indexes.set(workspaceId, index);
    workspaces.push(index, workspaceId);
  }
  return index;
}

// Calls of one conversation mention the same users and chats.
function indexOfMention({ mentions }: Batch, json: string): number {
  let index = mentions.get(json);
  if (index === undefined) {
    // The script counts from 1, and three arguments come first.
    index = mentions.size + 4;
    mentions.set(json, index);
  }
  return index;
}

// By name: if a key stood here twice, the script would read it under one index before it has flushed the writes combined under the other.
function indexOf({ keys, indexes }: Batch, key: string): number {
  let index = indexes.get(key);
  if (index === undefined) {
    index = keys.push(key);
    indexes.set(key, index);
  }
  return index;
}

function send(
  redis: RedisConnection,
  { keys, writes, workspaces, mentions, transactions, waiters, traced }: Batch,
): void {
  const writtenAgain: number[] = [];
  writes.forEach((count, index) => {
    if (count > 1) writtenAgain.push(index);
  });
  const tracedUpdates = traced === null ? '' : pack(traced.updates);
  const args = [
    pack([writtenAgain, workspaces, ...transactions]),
    bytesMaxOf(redis),
    tracedUpdates,
    ...mentions.keys(),
  ];
  for (const span of traced?.spans ?? []) span.share(transactions.length, traced?.spans[0]);
  const run = (script: Script) => script.run(redis, keys, args) as Promise<string[]>;
  const settle = (answers: string[]) => {
    for (let i = 0; i < waiters.length; i += 1)
      waiters[i]?.resolve(answers.slice(3 * i, 3 * i + 3) as CommitAnswer);
  };
  const fail = (error: unknown) => {
    for (const { reject } of waiters) reject(error);
  };
  run(commitScript).then(settle, (error) => {
    if (!isOutOfMemory(error)) return fail(error);
    const why = (error as Error).message;
    run(commitWhenFullScript).then((answers) => {
      for (let i = 0; i < answers.length; i += 3)
        if (answers[i] === 'full') answers.splice(i, 2, 'failed', why);
      settle(answers);
    }, fail);
  });
}
