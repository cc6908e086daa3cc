import type { CursorSealer } from '../../directory/cursor.ts';
import type { Page, PageRequest } from '../../directory/page.ts';

/** One page of a sorted list of names, with cursors like those of every list. */
export function pageOfNames(
  sealer: CursorSealer,
  list: string,
  names: readonly string[],
  request: PageRequest,
): Page<string> {
  const cursor = request.startingAfter ?? request.endingBefore;
  const position = cursor === undefined ? null : sealer.open(list, cursor);
  const backward = request.startingAfter === undefined && request.endingBefore !== undefined;
  const at = position === null ? 0 : placeOf(names, position.id, position.side);
  const start = backward ? Math.max(0, at - request.limit) : at;
  const end = backward ? at : Math.min(names.length, at + request.limit);
  const data = names.slice(start, end);
  const next = end < names.length ? sealer.seal(list, { side: 'before', id: names[end] as string }) : null;
  const previous = start > 0 ? sealer.seal(list, { side: 'before', id: names[start] as string }) : null;
  return { data, hasMore: next !== null, cursors: { next, previous } };
}

function placeOf(names: readonly string[], id: string, side: 'before' | 'after'): number {
  const place = names.findIndex((name) => (side === 'before' ? name >= id : name > id));
  return place === -1 ? names.length : place;
}
