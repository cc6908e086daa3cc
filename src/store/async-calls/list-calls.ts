import type { RedisConnection } from '../../redis/connections.ts';
import { stateKey } from '../../redis/keys.ts';
import type { CursorSealer, Position } from '../cursor.ts';
import { boundsAt, type Page, type PageRequest } from '../lists.ts';
import type { CallStatus } from './async-call.ts';
import { listName } from './call-keys.ts';
import { findCall, type KeptCall } from './find-call.ts';

/** A list of kept calls: where they are looked for, what is to be true of them, and what its cursors are bound to. */
export interface CallList {
  workspaceIds: string[];
  status?: CallStatus | undefined;
  accountId?: string | undefined;
  name: string;
}

interface Found {
  workspaceId: string;
  id: string;
}

/** One page of kept calls in the order of their ids, from all the workspaces together. */
export async function listCalls(
  redis: RedisConnection,
  sealer: CursorSealer,
  list: CallList,
  request: PageRequest,
): Promise<Page<KeptCall>> {
  const cursor = request.startingAfter ?? request.endingBefore;
  const position = cursor === undefined ? null : sealer.open(list.name, cursor);
  const backward = request.startingAfter === undefined && request.endingBefore !== undefined;
  const [start, otherSide] = boundsAt(position, backward);
  const [found, beyond] = await Promise.all([
    findIds(redis, list, start, backward, request.limit + 1),
    position === null ? [] : findIds(redis, list, otherSide, !backward, 1),
  ]);
  const page = found.slice(0, request.limit);
  if (backward) page.reverse();
  const isMore = found.length > request.limit;
  const [follow, precede] = backward ? [beyond.length > 0, isMore] : [isMore, beyond.length > 0];
  const [first, last] = [page[0], page.at(-1)];
  const end: Position | null = last ? { side: 'after', id: last.id } : position;
  const begin: Position | null = first ? { side: 'before', id: first.id } : position;
  const calls = await Promise.all(page.map(({ workspaceId, id }) => findCall(redis, workspaceId, id)));
  const next = follow && end !== null ? sealer.seal(list.name, end) : null;
  const previous = precede && begin !== null ? sealer.seal(list.name, begin) : null;
  return {
    data: calls.filter((call) => call !== null),
    hasMore: next !== null,
    cursors: { next, previous },
  };
}

async function findIds(
  redis: RedisConnection,
  { workspaceIds, status, accountId }: CallList,
  from: string,
  backward: boolean,
  limit: number,
): Promise<Found[]> {
  const name = listName({ status, accountId });
  const found = await Promise.all(
    workspaceIds.map(async (workspaceId): Promise<Found[]> => {
      const key = stateKey(workspaceId, name);
      const ids = backward
        ? await redis.zrange(key, from === '-' ? '+' : from, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit)
        : await redis.zrange(key, from, '+', 'BYLEX', 'LIMIT', 0, limit);
      return ids.map((id) => ({ workspaceId, id }));
    }),
  );
  const order = backward ? -1 : 1;
  return found
    .flat()
    .sort((a, b) => (a.id < b.id ? -order : order))
    .slice(0, limit);
}
