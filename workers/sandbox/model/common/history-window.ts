import { type CallContext, MessengerError } from '../../../driver.ts';

/** The paging fields that TL's lists of messages share; ids are message ids. */
export interface HistoryWindow {
  offsetId: number;
  addOffset: number;
  limit: number;
  maxId: number;
  minId: number;
}

/** A window's ids, newest first, and how many there are in the whole list. */
export interface WindowIds {
  ids: number[];
  total: number;
  /** Whether the window holds the whole list. */
  isWhole: boolean;
}

const LIMIT_MAX = 100;

/** How many items a method's own `limit` asks for: 0 is none, above 100 is 100. Errors: `LIMIT_INVALID` below 0. */
export function readLimit(limit: number): number {
  if (limit < 0) throw new MessengerError('LIMIT_INVALID');
  return Math.min(limit, LIMIT_MAX);
}

/**
 * The ids of a window of a sorted set of message ids, newest first. The window begins `addOffset` places after the first id below
 * `offsetId` (0: above all; a negative `addOffset` begins before it) and spans `limit` ids. Of these, only those strictly between
 * `minId` and `maxId` (0: no bound) are returned. Source: core.telegram.org/api/offsets.
 */
export async function readWindow(
  call: CallContext,
  name: string,
  { offsetId, addOffset, limit: asked, maxId, minId }: HistoryWindow,
): Promise<WindowIds> {
  const limit = readLimit(asked);
  const { read } = call.tx;
  const key = call.tx.key(name);
  // With a negative `addOffset` the window begins among the ids from `offsetId` up.
  const newerCount = offsetId > 0 && addOffset < 0 ? Math.min(limit, -addOffset) : 0;
  const olderCount = Math.max(0, Math.min(limit, limit + addOffset));
  const [total, newer, older] = await Promise.all([
    read.zcard(key),
    newerCount > 0 ? readNewer(call, key, offsetId, Math.max(0, -addOffset - limit), newerCount) : [],
    olderCount > 0 ? readOlder(call, key, offsetId, Math.max(0, addOffset), olderCount) : [],
  ]);
  const found = [...newer.reverse(), ...older].map(Number);
  const upper = maxId > 0 ? maxId : Number.POSITIVE_INFINITY;
  const ids = found.filter((id) => id > minId && id < upper);
  return { ids, total, isWhole: ids.length === total };
}

// Redis walks through all entries that LIMIT skips, so a long offset is converted to ranks.
async function readNewer(
  { tx }: CallContext,
  key: string,
  offsetId: number,
  skipped: number,
  count: number,
): Promise<string[]> {
  if (skipped <= LIMIT_MAX) return tx.read.zrangebyscore(key, offsetId, '+inf', 'LIMIT', skipped, count);
  const start = skipped + (await tx.read.zcount(key, '-inf', `(${offsetId}`));
  return tx.read.zrange(key, String(start), String(start + count - 1));
}

async function readOlder(
  { tx }: CallContext,
  key: string,
  offsetId: number,
  skipped: number,
  count: number,
): Promise<string[]> {
  const below = offsetId > 0 ? `(${offsetId}` : '+inf';
  if (skipped <= LIMIT_MAX) return tx.read.zrevrangebyscore(key, below, '-inf', 'LIMIT', skipped, count);
  const start = skipped + (offsetId > 0 ? await tx.read.zcount(key, offsetId, '+inf') : 0);
  return tx.read.zrevrange(key, start, start + count - 1);
}

/** The ids of a window, newest first. */
export async function listIds(call: CallContext, name: string, window: HistoryWindow): Promise<number[]> {
  return (await readWindow(call, name, window)).ids;
}
