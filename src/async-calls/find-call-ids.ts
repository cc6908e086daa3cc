import { findEntries, type ListedBy, type ListRange, memberOf } from '../directory/list-entries.ts';
import type { RunRead } from '../directory/lists.ts';
import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { stateKey } from '../redis/keys.ts';
import type { CallStatus } from './async-call.ts';
import { endedLists, listName } from './call-keys.ts';

/** A list of async calls: their workspaces, filters and order. */
export interface CallList {
  workspaceIds: string[];
  status?: CallStatus | undefined;
  accountId?: string | undefined;
  /** `id` orders by creation, `time` by end. */
  by: ListedBy;
}

/** A call in a list: its workspace, its id and its place in the order. The id is null if the call does not match the filters. */
export interface ListedCall {
  workspaceId: string;
  id: string | null;
  place: string;
}

// Read in one pipeline, which keeps Redis busy for less than a millisecond.
const SETS_AT_ONCE = 100;

/** The first `count` calls of a span, or in reverse the last, merged from all workspaces of the list; in the order of reading. */
export async function findCallIds(
  redis: RedisConnection,
  list: CallList,
  span: ListRange,
  isReverse: boolean,
  count: number,
  runRead: RunRead,
): Promise<ListedCall[]> {
  let found: ListedCall[] = [];
  for (const workspaceIds of inParts(list)) {
    const more = await runRead(() => findIn(redis, { ...list, workspaceIds }, span, isReverse, count));
    if (more.length === 0) continue;
    const order = isReverse ? -1 : 1;
    found = [...found, ...more].sort((a, b) => (a.place < b.place ? -order : order)).slice(0, count);
    // Calls beyond the last one wanted need not be read.
    const last = found[count - 1];
    if (last === undefined) continue;
    if (isReverse) span = { ...span, from: { side: 'after', id: last.place } };
    else span = { ...span, to: { side: 'before', id: last.place } };
  }
  return found;
}

/** Whether a list has calls in a span. */
export async function hasCalls(
  redis: RedisConnection,
  list: CallList,
  span: ListRange,
  runRead: RunRead,
): Promise<boolean> {
  for (const workspaceIds of inParts(list)) {
    const found = await runRead(() => findIn(redis, { ...list, workspaceIds }, span, false, 1));
    if (found.length > 0) return true;
  }
  return false;
}

function* inParts(list: CallList): Generator<string[]> {
  const { workspaceIds } = list;
  const atOnce = Math.floor(SETS_AT_ONCE / namesOf(list).length);
  for (let at = 0; at < workspaceIds.length; at += atOnce) yield workspaceIds.slice(at, at + atOnce);
}

function namesOf({ by, status, accountId }: CallList): string[] {
  return by === 'time' ? endedLists(status) : [listName({ status, accountId })];
}

async function findIn(
  redis: RedisConnection,
  list: CallList,
  span: ListRange,
  isReverse: boolean,
  count: number,
): Promise<ListedCall[]> {
  const { workspaceIds, by } = list;
  const names = namesOf(list);
  const isOneScope = commandScope(redis, workspaceIds[0] as string) === '';
  const groups = isOneScope ? [workspaceIds] : workspaceIds.map((id) => [id]);
  const found = await Promise.all(
    groups.map(async (group) => {
      const keys = group.flatMap((id) => names.map((name) => stateKey(id, name)));
      const entries = await findEntries(redis, keys, by, span, isReverse, count);
      return entries.map(({ set, place }) => ({
        workspaceId: group[Math.floor(set / names.length)] as string,
        id: by === 'id' ? place : idIn(memberOf(place), list),
        place,
      }));
    }),
  );
  return found.flat();
}

/** The id in `<call id> <account id> <status>`, or null if the account or the status does not match. */
function idIn(member: string, { status, accountId }: CallList): string | null {
  const [id = '', account, end] = member.split(' ');
  const matches = [undefined, end].includes(status) && [undefined, account].includes(accountId);
  return matches ? id : null;
}
