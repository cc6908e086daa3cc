import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type Collection, ownersOf, type Records, type View } from './collections.ts';
import type { CursorSealer, Position } from './cursor.ts';
import { countDeletions, findGone } from './deletions.ts';
import { parseRecord, recordsKey, viewKey } from './records.ts';

/** The most bytes of stored records that a page holds; it has at least one item. */
export const PAGE_BYTES = 1024 * 1024;

/** One page of a list, as the API answers it. */
export interface Page<T> {
  data: T[];
  hasMore: boolean;
  cursors: { next: string | null; previous: string | null };
}

/** The wanted page. `startingAfter` wins if both cursors are given. */
export interface PageRequest {
  limit: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

/**
 * KEYS 1 sorted set of ids, 2 hash of records
 * ARGV 1 `forward` or `backward`, 2 the bound to start at, 3 the same bound from the other side, 4 limit, 5 most bytes of records
 *      (the first item is returned in any case)
 * Result: whether items follow the page, whether items precede it, then id and record of each item in the order of reading.
 */
const readPage = new Script(`
local isForward = ARGV[1] == 'forward'
local ids
if isForward then ids = redis.call('ZRANGE', KEYS[1], ARGV[2], '+', 'BYLEX', 'LIMIT', 0, ARGV[4])
else ids = redis.call('ZRANGE', KEYS[1], ARGV[2], '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[4]) end
local room = tonumber(ARGV[5])
local items = {}
local last
for i, id in ipairs(ids) do
  local record = redis.call('HGET', KEYS[2], id)
  room = room - #(record or '')
  if room < 0 and i > 1 then break end
  items[#items + 1] = id
  items[#items + 1] = record
  last = id
end
local above, below = ARGV[2], ARGV[3]
if not isForward then above, below = ARGV[3], ARGV[2] end
if last then
  above, below = '(' .. (isForward and last or ids[1]), '(' .. (isForward and ids[1] or last)
end
local follow = above ~= '+' and #redis.call('ZRANGE', KEYS[1], above, '+', 'BYLEX', 'LIMIT', 0, 1) or 0
local precede = below ~= '-' and #redis.call('ZRANGE', KEYS[1], below, '-', 'BYLEX', 'REV', 'LIMIT', 0, 1) or 0
local answer = {follow, precede}
for _, item in ipairs(items) do answer[#answer + 1] = item end
return answer
`);

/** The scripts of this file, to be loaded at start. */
export const LIST_SCRIPTS = [readPage];

/** A list: a collection, the view of all that the caller may see, the filter as given, and the view that is left with the filter. */
export interface ListOf<C extends Collection> {
  collection: C;
  view: View;
  filter: string;
  shown: View;
}

/**
 * One page of a list, in the order of the ids. Items whose owner is being deleted are left out, so the page can be shorter than asked
 * for. Its cursors fit this collection, view and filter only.
 */
export async function listRecords<C extends Collection>(
  redis: RedisConnection,
  sealer: CursorSealer,
  list: ListOf<C>,
  request: PageRequest,
): Promise<Page<Records[C]>> {
  const { collection, view, filter, shown } = list;
  const keys = {
    name: `${collection}\0${view}\0${filter}\0id`,
    ids: viewKey(collection, shown),
    records: recordsKey(collection),
  };
  const [deletions, page] = await Promise.all([
    countDeletions(redis),
    listPage(redis, sealer, keys, request),
  ]);
  const data = page.data.map((text) => parseRecord(collection, text));
  return { ...page, data: deletions === 0 ? data : await withoutGone(redis, collection, data) };
}

async function withoutGone<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  records: Records[C][],
): Promise<Records[C][]> {
  const owners = records.map((record) => ownersOf(collection, record));
  const gone = await findGone(redis, [...new Set(owners.flat())]);
  return records.filter((_, i) => !(owners[i] as string[]).some((id) => gone.has(id)));
}

/** One page of any sorted set of ids with a hash of records, as stored text. Its cursors fit lists of the same `name` only. */
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
    [backward ? 'backward' : 'forward', ...boundsAt(position, backward), request.limit, PAGE_BYTES],
  )) as [number, number, ...string[]];
  const [follow, precede, ...items] = answer;
  const ids = items.filter((_, index) => index % 2 === 0);
  const data = items.filter((_, index) => index % 2 === 1);
  if (backward) {
    ids.reverse();
    data.reverse();
  }
  const end: Position | null = ids.length > 0 ? { side: 'after', id: ids.at(-1) as string } : position;
  const start: Position | null = ids.length > 0 ? { side: 'before', id: ids[0] as string } : position;
  const next = follow === 1 && end !== null ? sealer.seal(name, end) : null;
  const previous = precede === 1 && start !== null ? sealer.seal(name, start) : null;
  return { data, hasMore: next !== null, cursors: { next, previous } };
}

/** The `ZRANGE BYLEX` bound of the items on the wanted side of a position, then that of the items on its other side. */
export function boundsAt(position: Position | null, backward: boolean): [string, string] {
  if (position === null) return ['-', '-'];
  const { side, id } = position;
  const itself = `[${id}`;
  const beyond = `(${id}`;
  return (side === 'before') === backward ? [beyond, itself] : [itself, beyond];
}
