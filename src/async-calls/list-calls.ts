import type { CursorSealer, Position } from '../directory/cursor.ts';
import { boundsAt, type Page, type PageRequest } from '../directory/lists.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { CallRecord } from './find-call.ts';
import { type CallList, findCallIds, hasCalls, type RunRead } from './find-call-ids.ts';
import { readCalls } from './read-calls.ts';

/** One page of async calls in the order of their ids, from all the workspaces together. */
export async function listCalls(
  redis: RedisConnection,
  sealer: CursorSealer,
  list: CallList & { name: string },
  request: PageRequest,
  runRead: RunRead,
): Promise<Page<CallRecord>> {
  const cursor = request.startingAfter ?? request.endingBefore;
  const position = cursor === undefined ? null : sealer.open(list.name, cursor);
  const backward = request.startingAfter === undefined && request.endingBefore !== undefined;
  const [start, otherSide] = boundsAt(position, backward);
  const { limit } = request;
  const found = await findCallIds(redis, list, { from: start, backward, limit: limit + 1 }, runRead);
  const isBeyond =
    position !== null && (await hasCalls(redis, list, { from: otherSide, backward: !backward }, runRead));
  const { calls, looked } = await runRead(() => readCalls(redis, found.slice(0, limit)));
  const page = found.slice(0, looked);
  if (backward) {
    page.reverse();
    calls.reverse();
  }
  const isMore = found.length > looked;
  const [follow, precede] = backward ? [isBeyond, isMore] : [isMore, isBeyond];
  const [first, last] = [page[0], page.at(-1)];
  const end: Position | null = last ? { side: 'after', id: last.id } : position;
  const begin: Position | null = first ? { side: 'before', id: first.id } : position;
  const next = follow && end !== null ? sealer.seal(list.name, end) : null;
  const previous = precede && begin !== null ? sealer.seal(list.name, begin) : null;
  return { data: calls, hasMore: next !== null, cursors: { next, previous } };
}
