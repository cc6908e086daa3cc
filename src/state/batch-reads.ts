import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { readHashesScript } from './read-hashes-script.ts';
import { TurnBatches } from './turn-batches.ts';

// All other reads. These are not batched.
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

/** The read commands of a Redis connection: all that a method may use to read its workspace's state. */
export interface StateReader extends Pick<RedisConnection, (typeof OTHER_READS)[number]> {
  hget(key: string, field: string): Promise<string | null>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
}

interface HashRead {
  fields: string[];
  /** The position of each field, once there are many. */
  indexes: Map<string, number> | null;
  lookUps: LookUp[];
}

/** What waits for some of the fields. */
interface LookUp {
  resolve(found: Values): void;
  reject(error: unknown): void;
}

interface Batch {
  hashes: Map<string, HashRead>;
  fields: number;
}

type Values = (string | null)[];

// A command with this many fields blocks Redis for a fraction of a millisecond.
const FIELDS_MAX = 256;

// Scanning this many fields is as fast as a look-up in a map.
const FEW_FIELDS = 8;

const batches = new TurnBatches<Batch>({
  begin: () => ({ hashes: new Map(), fields: 0 }),
  isFull: ({ fields }) => fields >= FIELDS_MAX,
  send,
});

/**
 * Reads state, with hash look-ups batched: all look-ups of one turn of the event loop, of however many calls, go to Redis as one command.
 * The calls of a batch read much the same hashes, and a command costs more than a field.
 */
export function batchReads(redis: RedisConnection): StateReader {
  function readOf(key: string, fields: number): HashRead {
    const batch = batches.current(redis, commandScope(redis, key));
    batch.fields += fields;
    const known = batch.hashes.get(key);
    if (known) return known;
    const read: HashRead = { fields: [], indexes: null, lookUps: [] };
    batch.hashes.set(key, read);
    return read;
  }

  function hget(key: string, field: string): Promise<string | null> {
    const read = readOf(key, 1);
    const index = indexIn(read, field);
    return new Promise((resolve, reject) => {
      read.lookUps.push({ resolve: (found) => resolve(found[index] ?? null), reject });
    });
  }

  function hmget(key: string, ...fields: string[]): Promise<Values> {
    const read = readOf(key, fields.length);
    const first = addInRow(read, fields);
    return new Promise((resolve, reject) => {
      const pick = (found: Values) => {
        if (first !== null) resolve(found.slice(first, first + fields.length));
        else resolve(fields.map((field) => found[indexIn(read, field)] ?? null));
      };
      read.lookUps.push({ resolve: pick, reject });
    });
  }

  const others = OTHER_READS.map((name) => [name, redis[name].bind(redis)]);
  return { ...Object.fromEntries(others), hget, hmget };
}

/**
 * Resolves once the hash look-ups of this turn have been sent. Redis executes later reads after them. Use it to read a counter before the
 * data it guards, when a commit is to check that the counter has not changed.
 */
export function untilSent(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function send(redis: RedisConnection, { hashes }: Batch): void {
  const together: [string, HashRead][] = [];
  for (const [key, read] of hashes) {
    const { length } = read.fields;
    if (hashes.size > 1 && length > 0 && length <= FIELDS_MAX) together.push([key, read]);
    else
      redis.hmget(key, ...read.fields).then(
        (found) => resolveAll(read, found),
        (error) => rejectAll(read, error),
      );
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
    const found = (await readHashesScript.runInOrder(redis, keys, args)) as (string | null | Error)[];
    let at = 0;
    for (const [, read] of hashes) {
      const values = found.slice(at, at + read.fields.length);
      at += read.fields.length;
      if (values[0] instanceof Error) rejectAll(read, values[0]);
      else resolveAll(read, values as Values);
    }
  } catch (error) {
    for (const [, read] of hashes) rejectAll(read, error);
  }
}

// Not by a promise that all look-ups share: few hashes are read by more than one.
function resolveAll({ lookUps }: HashRead, found: Values): void {
  for (const { resolve } of lookUps) resolve(found);
}

function rejectAll({ lookUps }: HashRead, error: unknown): void {
  for (const { reject } of lookUps) reject(error);
}

// Adds fields to a read. Returns the position of the first if they stand there in a row, as they nearly always do, being new; else null.
function addInRow(read: HashRead, fields: string[]): number | null {
  if (fields.length === 0) return 0;
  const first = indexIn(read, fields[0] as string);
  let areInRow = true;
  for (let i = 1; i < fields.length; i += 1) {
    if (indexIn(read, fields[i] as string) !== first + i) areInRow = false;
  }
  return areInRow ? first : null;
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
