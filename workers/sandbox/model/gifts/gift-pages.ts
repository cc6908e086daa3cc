import { type CallContext, MessengerError } from '../../../driver.ts';
import { readLimit } from '../common/history-window.ts';
import { findGifts, type GiftRecord } from './gifts.ts';

/** Which gifts of a sorted set are wanted. */
export interface GiftQuery {
  name: string;
  /** From the highest score down. */
  descending: boolean;
  offset: string;
  limit: number;
  wanted: (gift: GiftRecord) => boolean;
}

/** A page of gifts; `nextOffset` is absent on the last one. */
export interface GiftPage {
  gifts: GiftRecord[];
  nextOffset?: string;
}

interface Position {
  score: number;
  id: string;
}

const CHUNK = 100;
// How many gifts one call reads. If few of them are wanted, the page is short, and the next page goes on after them.
const SCANNED_MAX = 1_000;
const OFFSET = /^(\d+(?:\.\d+)?):(\d+)$/;

/** A page of the wanted gifts in a sorted set, after `offset`. Errors: `LIMIT_INVALID`, `OFFSET_INVALID`. */
export async function listGifts(call: CallContext, query: GiftQuery): Promise<GiftPage> {
  const limit = readLimit(query.limit);
  const after = readOffset(query.offset);
  if (limit === 0) return { gifts: [] };
  const first = after ? await rankBehind(call, query, after) : 0;
  const gifts: GiftRecord[] = [];
  let taken: Position | null = null;
  let last: Position | null = null;
  for (let start = first; start < first + SCANNED_MAX; start += CHUNK) {
    const positions = await readChunk(call, query, start);
    const found = await findGifts(
      call,
      positions.map(({ id }) => id),
    );
    for (const [i, position] of positions.entries()) {
      last = position;
      const gift = found[i]?.gift;
      if (!gift || isPassed(query, position, after) || !query.wanted(gift)) continue;
      if (gifts.length === limit) return { gifts, nextOffset: toOffset(taken) };
      gifts.push(gift);
      taken = position;
    }
    if (positions.length < CHUNK) return { gifts };
  }
  return { gifts, nextOffset: toOffset(last) };
}

async function readChunk(
  call: CallContext,
  { name, descending }: GiftQuery,
  start: number,
): Promise<Position[]> {
  const { read } = call.tx;
  const key = call.tx.key(name);
  const [from, to] = [String(start), String(start + CHUNK - 1)];
  const flat = descending
    ? await read.zrevrange(key, from, to, 'WITHSCORES')
    : await read.zrange(key, from, to, 'WITHSCORES');
  return Array.from({ length: flat.length / 2 }, (_, i) => ({
    id: flat[2 * i] as string,
    score: Number(flat[2 * i + 1]),
  }));
}

// The start of the page: after the gift that the offset names, or, if that gift has moved, among those of the same score.
async function rankBehind(
  call: CallContext,
  { name, descending }: GiftQuery,
  after: Position,
): Promise<number> {
  const { read } = call.tx;
  const key = call.tx.key(name);
  const [score, rank, before] = await Promise.all([
    read.zscore(key, after.id),
    descending ? read.zrevrank(key, after.id) : read.zrank(key, after.id),
    descending ? read.zcount(key, `(${after.score}`, '+inf') : read.zcount(key, '-inf', `(${after.score}`),
  ]);
  return rank !== null && Number(score) === after.score ? Number(rank) + 1 : before;
}

function isPassed({ descending }: GiftQuery, { id, score }: Position, after: Position | null): boolean {
  if (after === null || score !== after.score) return false;
  return descending ? id >= after.id : id <= after.id;
}

function readOffset(offset: string): Position | null {
  if (offset === '') return null;
  const [, score, id] = OFFSET.exec(offset) ?? [];
  if (score === undefined || id === undefined) throw new MessengerError('OFFSET_INVALID');
  return { score: Number(score), id };
}

function toOffset(position: Position | null): string {
  return `${position?.score}:${position?.id}`;
}
