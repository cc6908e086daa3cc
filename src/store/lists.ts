import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import type { Collection, Records, View } from './collections.ts';
import type { CursorSealer, Position } from './cursor.ts';
import { parseRecord, recordsKey, viewKey } from './records.ts';

/** One page of a list, as the API answers it. */
export interface Page<T> {
  data: T[];
  hasMore: boolean;
  cursors: { next: string | null; previous: string | null };
}

/** Which page is wanted; with both cursors or neither, `startingAfter` decides. */
export interface PageRequest {
  limit: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

/**
 * KEYS 1 sorted set of ids, 2 hash of records
 * ARGV 1 `forward` or `backward`, 2 the bound to start at, 3 the same bound seen from the other side, 4 limit
 * Result: whether items follow the page, whether items precede it, then id and record of each item in forward order.
 */
const readPage = new Script(`
local ids
local limit = tonumber(ARGV[4])
if ARGV[1] == 'forward' then
  ids = redis.call('ZRANGE', KEYS[1], ARGV[2], '+', 'BYLEX', 'LIMIT', 0, limit)
else
  local behind = redis.call('ZRANGE', KEYS[1], ARGV[2], '-', 'BYLEX', 'REV', 'LIMIT', 0, limit)
  ids = {}
  for i = #behind, 1, -1 do ids[#ids + 1] = behind[i] end
end
local above, below = ARGV[2], ARGV[3]
if ARGV[1] == 'backward' then above, below = ARGV[3], ARGV[2] end
if #ids > 0 then above, below = '(' .. ids[#ids], '(' .. ids[1] end
local follow = above ~= '+' and #redis.call('ZRANGE', KEYS[1], above, '+', 'BYLEX', 'LIMIT', 0, 1) or 0
local precede = below ~= '-' and #redis.call('ZRANGE', KEYS[1], below, '-', 'BYLEX', 'REV', 'LIMIT', 0, 1) or 0
local answer = {follow, precede}
for _, id in ipairs(ids) do
  answer[#answer + 1] = id
  answer[#answer + 1] = redis.call('HGET', KEYS[2], id)
end
return answer
`);

/** The scripts of the lists, for a readiness check. */
export const LIST_SCRIPTS = [readPage];

/** A list: a collection, what the caller may see of it, the filter as it was asked for, and the view that leaves. */
export interface ListOf<C extends Collection> {
  collection: C;
  view: View;
  filter: string;
  shown: View;
}

/** One page of a list, in the order of the ids. Its cursors fit this collection, view and filter only. */
export async function listRecords<C extends Collection>(
  redis: RedisConnection,
  sealer: CursorSealer,
  list: ListOf<C>,
  request: PageRequest,
): Promise<Page<Records[C]>> {
  const page = await listPage(
    redis,
    sealer,
    {
      name: `${list.collection}\0${list.view}\0${list.filter}\0id`,
      ids: viewKey(list.collection, list.shown),
      records: recordsKey(list.collection),
    },
    request,
  );
  return { ...page, data: page.data.map((text) => parseRecord(list.collection, text)) };
}

/** One page of any sorted set of ids with a hash of records, those as they are kept; `name` tells its cursors from others. */
export async function listPage(
  redis: RedisConnection,
  sealer: CursorSealer,
  { name, ids: idsKey, records }: { name: string; ids: string; records: string },
  request: PageRequest,
): Promise<Page<string>> {
  const cursor = request.startingAfter ?? request.endingBefore;
  const position = cursor === undefined ? null : sealer.open(name, cursor);
  const backward = request.startingAfter === undefined && request.endingBefore !== undefined;
  const answer = (await readPage.run(
    redis,
    [idsKey, records],
    [backward ? 'backward' : 'forward', ...boundsAt(position, backward), request.limit],
  )) as [number, number, ...string[]];
  const [follow, precede, ...items] = answer;
  const ids = items.filter((_, index) => index % 2 === 0);
  const data = items.filter((_, index) => index % 2 === 1);
  const end: Position | null = ids.length > 0 ? { side: 'after', id: ids.at(-1) as string } : position;
  const start: Position | null = ids.length > 0 ? { side: 'before', id: ids[0] as string } : position;
  const next = follow === 1 && end !== null ? sealer.seal(name, end) : null;
  const previous = precede === 1 && start !== null ? sealer.seal(name, start) : null;
  return { data, hasMore: next !== null, cursors: { next, previous } };
}

/** The bound of the items on the wanted side of a position, then that of the items on its other side. */
export function boundsAt(position: Position | null, backward: boolean): [string, string] {
  if (position === null) return ['-', '-'];
  const { side, id } = position;
  const itself = `[${id}`;
  const beyond = `(${id}`;
  return (side === 'before') === backward ? [beyond, itself] : [itself, beyond];
}
