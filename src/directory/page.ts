import type { CursorSealer, Position } from './cursor.ts';
import type { ListRange } from './list-entries.ts';

/** The most bytes that are read for a page; it has at least one item. */
export const PAGE_BYTES = 1024 * 1024;

/** The most entries that are scanned for a page with a filter that has no index. */
export const SCANNED_MAX = 1_000;
const SCANNED_AT_ONCE = 200;

/** One page of a list, as the API answers it. */
export interface Page<T> {
  data: T[];
  hasMore: boolean;
  /** Set where the search for matches ended at its bound before the page was full. */
  partial?: true;
  cursors: { next: string | null; previous: string | null };
}

/** The wanted page. `startingAfter` wins if both cursors are given. */
export interface PageRequest {
  limit: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

/** Which list: its name, to which its cursors are sealed, its order, and what part of it is wanted. */
export interface ListOrder {
  name: string;
  isDescending: boolean;
  span: ListRange;
}

/** What was read of a list. An item is null if it is gone, or certainly does not match. */
export interface ListPart<T> {
  entries: { place: string; item: T | null }[];
  /** Whether there are further entries in the span. */
  isMore: boolean;
  /** How many bytes may still be read for the page. */
  room: number;
}

/** What a page is read from. */
export interface ListSource<T> {
  /**
   * Reads up to `count` entries of a span, from its lower end or in reverse, as many as fit in `room` (bytes). If that is all of
   * `PAGE_BYTES`, at least one.
   */
  read(span: ListRange, isReverse: boolean, count: number, room: number): Promise<ListPart<T>>;
  /** Whether a span has entries. */
  has(span: ListRange): Promise<boolean>;
}

/**
 * One page of a list. With `matches` only items that match are in it. Then at most `SCANNED_MAX` entries and `PAGE_BYTES` are
 * scanned; `partial` says that this was not enough, and the next page goes on from there.
 */
export async function readPage<T>(
  sealer: CursorSealer,
  { name, isDescending, span }: ListOrder,
  source: ListSource<T>,
  { limit, startingAfter, endingBefore }: PageRequest,
  matches: ((item: T) => boolean) | null = null,
): Promise<Page<T>> {
  const cursor = startingAfter ?? endingBefore;
  const position = cursor === undefined ? null : sealer.open(name, cursor);
  const isBackward = startingAfter === undefined && endingBefore !== undefined;
  const isReverse = isBackward !== isDescending;
  const start = position !== null && isDescending ? turned(position) : position;
  const found = await gather(source, { span, start, isReverse, limit, matches });
  const isBehind = start !== null && (await source.has(restOf(span, start, !isReverse)));

  const { data, first, last, isMore, isPartial } = found;
  if (isBackward) data.reverse();
  const [hasPrevious, hasNext] = isBackward ? [isMore, isBehind] : [isBehind, isMore];
  const [top, bottom] = isBackward ? [last, first] : [first, last];
  const seal = (side: Position['side'], id: string | null) => {
    const at = id === null ? position : { side, id };
    return at === null ? null : sealer.seal(name, at);
  };
  const cursors = {
    next: hasNext ? seal('after', bottom) : null,
    previous: hasPrevious ? seal('before', top) : null,
  };
  return { data, hasMore: cursors.next !== null, ...(isPartial ? { partial: true } : {}), cursors };
}

interface Search<T> {
  span: ListRange;
  start: Position | null;
  isReverse: boolean;
  limit: number;
  matches: ((item: T) => boolean) | null;
}

interface Found<T> {
  /** In the order of reading. */
  data: T[];
  /** The first and the last scanned position. */
  first: string | null;
  last: string | null;
  isMore: boolean;
  isPartial: boolean;
}

async function gather<T>(source: ListSource<T>, search: Search<T>): Promise<Found<T>> {
  const { span, start, isReverse, limit, matches } = search;
  const found: Found<T> = { data: [], first: null, last: null, isMore: true, isPartial: false };
  const count = matches === null ? limit : SCANNED_AT_ONCE;
  let scanned = 0;
  let room = PAGE_BYTES;
  while (scanned < (matches === null ? 1 : SCANNED_MAX) && room > 0) {
    const { last } = found;
    const from: Position | null = last === null ? start : { side: isReverse ? 'before' : 'after', id: last };
    const part = await source.read(
      from === null ? span : restOf(span, from, isReverse),
      isReverse,
      count,
      room,
    );
    ({ room } = part);
    scanned += part.entries.length;
    if (take(part, search, found)) return found;
    found.isMore = part.isMore;
    if (!part.isMore || part.entries.length === 0) break;
  }
  found.isPartial = found.isMore && matches !== null && found.data.length < limit;
  return found;
}

/** Collects the matching items; true once there is one more than wanted. */
function take<T>({ entries }: ListPart<T>, { limit, matches }: Search<T>, found: Found<T>): boolean {
  for (const { place, item } of entries) {
    if (item !== null && (matches === null || matches(item))) {
      if (found.data.length === limit) return true;
      found.data.push(item);
    }
    found.first ??= place;
    found.last = place;
  }
  return false;
}

/** What of a span lies beyond a position, in the direction of reading. */
function restOf({ from, to }: ListRange, position: Position, isReverse: boolean): ListRange {
  return isReverse ? { from, to: position } : { from: position, to };
}

/** The same position, seen from the other end of the list. */
function turned({ side, id }: Position): Position {
  return { side: side === 'before' ? 'after' : 'before', id };
}
