import type { CursorSealer, Position } from '../../directory/cursor.ts';
import type { Page, PageRequest } from '../../directory/page.ts';

/** One page of names that are in ascending order, with cursors like those of every list. */
export function pageOfNames(
  sealer: CursorSealer,
  list: string,
  names: readonly string[],
  request: PageRequest,
): Page<string> {
  const cursor = request.startingAfter ?? request.endingBefore;
  const position = cursor === undefined ? null : sealer.open(list, cursor);
  const isBackward = request.startingAfter === undefined && request.endingBefore !== undefined;
  const at = position === null ? 0 : indexOf(names, position);
  const start = isBackward ? Math.max(0, at - request.limit) : at;
  const end = isBackward ? at : Math.min(names.length, at + request.limit);
  const data = names.slice(start, end);
  const next = end < names.length ? sealer.seal(list, positionOf(names, end)) : null;
  const previous = start > 0 ? sealer.seal(list, positionOf(names, start)) : null;
  return { data, hasMore: next !== null, cursors: { next, previous } };
}

/** The index of the first name behind a position. */
function indexOf(names: readonly string[], { side, id }: Position): number {
  const index = names.findIndex((name) => (side === 'before' ? name >= id : name > id));
  return index === -1 ? names.length : index;
}

// No name is at the end of the list. A page begins there if all names behind its cursor are gone.
function positionOf(names: readonly string[], index: number): Position {
  const name = names[index];
  return name === undefined ? { side: 'after', id: names.at(-1) as string } : { side: 'before', id: name };
}
