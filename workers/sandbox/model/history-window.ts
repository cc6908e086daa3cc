import { type CallContext, MessengerError } from '../../driver.ts';

/** The paging fields that TL's lists of messages share; ids are message ids. */
export interface HistoryWindow {
  offsetId: number;
  addOffset: number;
  limit: number;
  maxId: number;
  minId: number;
}

const LIMIT_MAX = 100;

/** How many items a method's own `limit` asks for: 0 is none, above 100 is 100. Errors: `LIMIT_INVALID` below 0. */
export function readLimit(limit: number): number {
  if (limit < 0) throw new MessengerError('LIMIT_INVALID');
  return Math.min(limit, LIMIT_MAX);
}

/**
 * The ids of a window of a sorted set of message ids, newest first. The window begins `addOffset` places after the first id below
 * `offsetId` (0: above all; a negative `addOffset` begins before it), holds `limit` ids, and of those only the ones strictly
 * between `minId` and `maxId` (0: no bound). Source: core.telegram.org/api/offsets.
 */
export async function listIds(call: CallContext, name: string, window: HistoryWindow): Promise<number[]> {
  const limit = readLimit(window.limit);
  if (limit === 0) return [];
  const key = call.tx.key(name);
  const newer = window.offsetId > 0 ? await call.tx.read.zcount(key, window.offsetId, '+inf') : 0;
  const start = newer + window.addOffset;
  const end = start + limit - 1;
  if (end < 0) return [];
  const ids = await call.tx.read.zrevrange(key, Math.max(0, start), end);
  const upper = window.maxId > 0 ? window.maxId : Number.POSITIVE_INFINITY;
  return ids.map(Number).filter((id) => id > window.minId && id < upper);
}
