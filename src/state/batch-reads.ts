import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { readHashesScript } from './read-hashes-script.ts';
import { TurnBatches } from './turn-batches.ts';

// Every other way to look at state; it reaches Redis as it is.
const OTHER_READS = [
  'exists',
  'hgetall',
  'hkeys',
  'hvals',
  'hlen',
  'hscan',
  'hexists',
  'zrange',
  'zrevrange',
  'zrangebyscore',
  'zrevrangebyscore',
  'zrangebylex',
  'zcard',
  'zcount',
  'zscore',
  'zmscore',
  'zrank',
  'zrevrank',
  'zscan',
  'smembers',
  'sismember',
  'smismember',
  'sscan',
  'scard',
] as const satisfies readonly (keyof RedisConnection)[];

/** The reading half of a Redis connection: what a method may use to look at its workspace's state. */
export interface StateReader extends Pick<RedisConnection, (typeof OTHER_READS)[number]> {
  hget(key: string, field: string): Promise<string | null>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
}

interface HashRead {
  fields: string[];
  /** Where each field is, once they are many. */
  indexes: Map<string, number> | null;
  found: Promise<Values>;
  resolve(values: Values): void;
  reject(error: unknown): void;
}

interface Batch {
  hashes: Map<string, HashRead>;
  fields: number;
}

type Values = (string | null)[];

// A command this long keeps Redis from others for no more than a fraction of a millisecond.
const FIELDS_MAX = 256;

// To look through so many takes no longer than to look one up.
const FEW_FIELDS = 8;

const batches = new TurnBatches<Batch>({
  begin: () => ({ hashes: new Map(), fields: 0 }),
  isFull: ({ fields }) => fields >= FIELDS_MAX,
  send,
});

/**
 * A reader of state whose look-ups in hashes are batched: what is asked in one turn of the event loop, by however many calls, goes to
 * Redis as one command. The calls of a batch look at much the same hashes, and a command costs more than a field.
 */
export function batchReads(redis: RedisConnection): StateReader {
  function readOf(key: string, fields: number): HashRead {
    const batch = batches.current(redis, commandScope(redis, key));
    batch.fields += fields;
    const known = batch.hashes.get(key);
    if (known) return known;
    const read = newRead();
    batch.hashes.set(key, read);
    return read;
  }

  function hget(key: string, field: string): Promise<string | null> {
    const read = readOf(key, 1);
    const index = indexIn(read, field);
    return read.found.then((found) => found[index] ?? null);
  }

  function hmget(key: string, ...fields: string[]): Promise<Values> {
    const read = readOf(key, fields.length);
    const indexes = fields.map((field) => indexIn(read, field));
    return read.found.then((found) => indexes.map((index) => found[index] ?? null));
  }

  const others = OTHER_READS.map((name) => [name, redis[name].bind(redis)]);
  return { ...Object.fromEntries(others), hget, hmget };
}

/**
 * Resolves once the look-ups in hashes that were asked for in this turn are on their way: whatever is asked for then is read behind them. A
 * counter that a commit is to find unchanged has to be read before what it guards.
 */
export function untilSent(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function send(redis: RedisConnection, { hashes }: Batch): void {
  const together: [string, HashRead][] = [];
  for (const [key, read] of hashes) {
    const { length } = read.fields;
    if (hashes.size > 1 && length > 0 && length <= FIELDS_MAX) together.push([key, read]);
    else redis.hmget(key, ...read.fields).then(read.resolve, read.reject);
  }
  if (together.length > 0) void readTogether(redis, together);
}

async function readTogether(redis: RedisConnection, hashes: readonly [string, HashRead][]): Promise<void> {
  const keys: string[] = [];
  const args: (string | number)[] = [];
  for (const [key, { fields }] of hashes) {
    keys.push(key);
    args.push(fields.length);
    for (const field of fields) args.push(field);
  }
  try {
    const found = (await readHashesScript.run(redis, keys, args)) as (string | null | Error)[];
    let at = 0;
    for (const [, { fields, resolve, reject }] of hashes) {
      const values = found.slice(at, at + fields.length);
      at += fields.length;
      if (values[0] instanceof Error) reject(values[0]);
      else resolve(values as Values);
    }
  } catch (error) {
    for (const [, { reject }] of hashes) reject(error);
  }
}

function newRead(): HashRead {
  const read: Partial<HashRead> = { fields: [], indexes: null };
  read.found = new Promise<Values>((resolve, reject) => {
    read.resolve = resolve;
    read.reject = reject;
  });
  return read as HashRead;
}

function indexIn(read: HashRead, field: string): number {
  const { fields } = read;
  if (read.indexes === null && fields.length >= FEW_FIELDS) {
    read.indexes = new Map(fields.map((known, index) => [known, index]));
  }
  const known = read.indexes === null ? fields.indexOf(field) : read.indexes.get(field);
  if (known !== undefined && known !== -1) return known;
  read.indexes?.set(field, fields.length);
  return fields.push(field) - 1;
}
