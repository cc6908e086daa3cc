import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type Collection, ownersOf, type Records, type View } from './collections.ts';
import type { CursorSealer } from './cursor.ts';
import { countDeletions, findGone } from './deletions.ts';
import { ENTRY_SCRIPTS, findEntries, type ListedBy, type ListRange, memberOf } from './list-entries.ts';
import {
  type ListOrder,
  type ListSource,
  PAGE_BYTES,
  type Page,
  type PageRequest,
  readPage,
} from './page.ts';
import { parseRecord, recordsKey, viewKey } from './records.ts';

/**
 * KEYS 1 hash of records
 * ARGV 1 most bytes of records, 2 `1` if the first is returned in any case, then ids
 * Result: the bytes that are left, then the records in their order, as long as there is room; nil for one that is gone.
 */
const readRecords = new Script(`
local answer = {tonumber(ARGV[1])}
for i = 3, #ARGV do
  local size = redis.call('HSTRLEN', KEYS[1], ARGV[i])
  if size > answer[1] and (i > 3 or ARGV[2] ~= '1') then
    answer[1] = 0
    return answer
  end
  answer[1] = math.max(answer[1] - size, 0)
  answer[#answer + 1] = redis.call('HGET', KEYS[1], ARGV[i])
end
return answer
`);

/** The scripts of this file, to be loaded at start. */
export const LIST_SCRIPTS = [readRecords, ...ENTRY_SCRIPTS];

/** A list: a collection, the view of all that the caller may see, the filter as given, and the view that is left with the filter. */
export interface ListOf<C extends Collection> {
  collection: C;
  view: View;
  filter: string;
  shown: View;
  /** Leaves out records that do not match a filter without a view. */
  matches?: ((record: Records[C]) => boolean) | null;
}

/** The order of a list, to be joined to its name. */
export type NamedOrder = Omit<ListOrder, 'name'> & { orderName: string };

/** Runs one read of a list, which is short, as soon as it may run. */
export type RunRead = <T>(read: () => Promise<T>) => Promise<T>;

/** The order of ids, from the oldest on. */
export const OLDEST_FIRST: NamedOrder = {
  orderName: 'id',
  isDescending: false,
  span: { from: null, to: null },
};

/**
 * One page of a list, in the order of the ids. Items whose owner is being deleted are left out, so the page can be shorter than asked
 * for. Its cursors fit this collection, view, filter and order only.
 */
export async function listRecords<C extends Collection>(
  redis: RedisConnection,
  sealer: CursorSealer,
  list: ListOf<C>,
  request: PageRequest,
  order: NamedOrder = OLDEST_FIRST,
  runRead: RunRead = (read) => read(),
): Promise<Page<Records[C]>> {
  const { collection, view, filter, shown, matches = null } = list;
  const sets = { keys: [viewKey(collection, shown)], by: 'id', records: recordsKey(collection) } as const;
  const parse = (text: string) => parseRecord(collection, text);
  const source = sourceOf(redis, sets, parse, runRead);
  const name = `${collection}\0${view}\0${filter}\0${order.orderName}`;
  const [deletions, page] = await Promise.all([
    countDeletions(redis),
    readPage(sealer, { ...order, name }, source, request, matches),
  ]);
  return deletions === 0 ? page : { ...page, data: await withoutGone(redis, collection, page.data) };
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

/** Reads a list whose entries are ids, in sorted sets of one hash slot, and whose items are in a hash. */
export function sourceOf<T>(
  redis: RedisConnection,
  { keys, by, records }: { keys: readonly string[]; by: ListedBy; records: string },
  parse: (text: string) => T,
  runRead: RunRead,
): ListSource<T> {
  const find = (span: ListRange, isReverse: boolean, count: number) =>
    findEntries(redis, [...keys], by, span, isReverse, count);
  return {
    read: (span, isReverse, count, room) =>
      runRead(async () => {
        const found = await find(span, isReverse, count + 1);
        const wanted = found.slice(0, count);
        if (wanted.length === 0) return { entries: [], isMore: false, room };
        const ids = wanted.map(({ place }) => (by === 'id' ? place : memberOf(place)));
        const args = [room, room === PAGE_BYTES ? 1 : 0, ...ids];
        const [left, ...texts] = (await readRecords.run(redis, [records], args)) as [
          number,
          ...(string | null)[],
        ];
        const entries = texts.map((text, at) => ({
          place: (wanted[at] as (typeof wanted)[number]).place,
          item: text === null ? null : parse(text),
        }));
        return { entries, isMore: found.length > entries.length, room: left };
      }),
    has: (span) => runRead(async () => (await find(span, false, 1)).length > 0),
  };
}
