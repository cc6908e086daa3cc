import type { CursorSealer } from '../directory/cursor.ts';
import type { NamedOrder, RunRead } from '../directory/lists.ts';
import { type ListSource, type Page, type PageRequest, readPage } from '../directory/page.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { CallRecord } from './find-call.ts';
import { type CallList, findCallIds, hasCalls } from './find-call-ids.ts';
import { readCalls } from './read-calls.ts';

/** A list of calls to read; `name` identifies its reader and filters, for cursors. */
export interface WantedCalls {
  name: string;
  list: CallList;
  order: NamedOrder;
  /** Only calls of this method. There is no index for methods. */
  method?: string | undefined;
}

/** One page of async calls, merged from all the workspaces. */
export async function listCalls(
  redis: RedisConnection,
  sealer: CursorSealer,
  { name, list, order, method }: WantedCalls,
  request: PageRequest,
  runRead: RunRead,
): Promise<Page<CallRecord>> {
  const source: ListSource<CallRecord> = {
    async read(span, isReverse, count, room) {
      const found = await findCallIds(redis, list, span, isReverse, count + 1, runRead);
      const { entries, room: left } = await runRead(() => readCalls(redis, found.slice(0, count), room));
      return { entries, isMore: found.length > entries.length, room: left };
    },
    has: (span) => hasCalls(redis, list, span, runRead),
  };
  const isSearch =
    method !== undefined ||
    (list.by === 'time' && (list.accountId !== undefined || list.status !== undefined));
  const matches = isSearch ? (call: CallRecord) => method === undefined || call.method === method : null;
  // The order by id without a range has no name: cursors of earlier releases have none.
  const ofOrder = order.orderName === 'id' ? '' : `\0${order.orderName}`;
  const ofList = { ...order, name: `${name}${ofOrder}` };
  return readPage(sealer, ofList, source, request, matches);
}
