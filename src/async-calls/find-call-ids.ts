import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { CallStatus } from './async-call.ts';
import { listName } from './call-keys.ts';

/** Which async calls: where they are looked for, and what is to be true of them. */
export interface CallList {
  workspaceIds: string[];
  status?: CallStatus | undefined;
  accountId?: string | undefined;
}

/** Runs one read of a list when it may be run: each is short. */
export type RunRead = <T>(read: () => Promise<T>) => Promise<T>;

/** Which part of a list: what lies behind a bound, the nearest first. */
export interface CallRange {
  from: string;
  backward: boolean;
  limit: number;
}

/** A call and where it is kept. */
export interface FoundCall {
  workspaceId: string;
  id: string;
}

// Asked of Redis in one go: it does nothing else for less than a millisecond.
const WORKSPACES_AT_ONCE = 100;

/**
 * KEYS  the list of each workspace
 * ARGV  1 the bound to start at, 2 the bound to end at, 3 `backward` or `forward`, 4 how many at most
 * Result number of the list and id of each call, the nearest to the first bound of all lists together, in their order
 */
const findNearest = new Script(`
local isBackward = ARGV[3] == 'backward'
local limit = tonumber(ARGV[4])
local part = math.ceil(limit / #KEYS) + 3
local function read(list)
  local from = list.last and '(' .. list.last or ARGV[1]
  if isBackward then list.ids = redis.call('ZRANGE', list.key, from, ARGV[2], 'BYLEX', 'REV', 'LIMIT', 0, part)
  else list.ids = redis.call('ZRANGE', list.key, from, ARGV[2], 'BYLEX', 'LIMIT', 0, part) end
  list.at = 1
  list.last = list.ids[#list.ids]
end
local open = {}
for i, key in ipairs(KEYS) do
  local list = {key = key, number = i}
  read(list)
  if list.last then open[#open + 1] = list end
end
local answer = {}
while #answer < 2 * limit and #open > 0 do
  local nearest, place
  for i, list in ipairs(open) do
    local id = list.ids[list.at]
    if not nearest or (isBackward and id > nearest) or (not isBackward and id < nearest) then nearest, place = id, i end
  end
  local list = open[place]
  answer[#answer + 1] = list.number
  answer[#answer + 1] = nearest
  list.at = list.at + 1
  if list.at > #list.ids then
    if #list.ids == part then read(list) end
    if not list.ids[list.at] then
      open[place] = open[#open]
      open[#open] = nil
    end
  end
end
return answer
`);

/** The calls of a range, from all workspaces of the list together. */
export async function findCallIds(
  redis: RedisConnection,
  list: CallList,
  range: CallRange,
  runRead: RunRead,
): Promise<FoundCall[]> {
  let found: FoundCall[] = [];
  for await (const more of findInParts(redis, list, range, runRead, () => found.at(-1))) {
    if (more.length === 0) continue;
    const order = range.backward ? -1 : 1;
    found = [...found, ...more].sort((a, b) => (a.id < b.id ? -order : order)).slice(0, range.limit);
  }
  return found;
}

/** Whether a list has calls behind a bound. */
export async function hasCalls(
  redis: RedisConnection,
  list: CallList,
  range: Omit<CallRange, 'limit'>,
  runRead: RunRead,
): Promise<boolean> {
  const parts = findInParts(redis, list, { ...range, limit: 1 }, runRead, () => undefined);
  for await (const found of parts) if (found.length > 0) return true;
  return false;
}

/** Goes through the workspaces a hundred at a time; of as many as are wanted already, what lies beyond the last need not be found. */
async function* findInParts(
  redis: RedisConnection,
  { workspaceIds, status, accountId }: CallList,
  { from, backward, limit }: CallRange,
  runRead: RunRead,
  lastWanted: () => FoundCall | undefined,
): AsyncGenerator<FoundCall[]> {
  const name = listName({ status, accountId });
  const start = from === '-' && backward ? '+' : from;
  let wanted = 0;
  for (let at = 0; at < workspaceIds.length; at += WORKSPACES_AT_ONCE) {
    const part = workspaceIds.slice(at, at + WORKSPACES_AT_ONCE);
    const last = wanted >= limit ? lastWanted() : undefined;
    const end = last === undefined ? (backward ? '-' : '+') : `(${last.id}`;
    const groups = commandScope(redis, part[0] as string) === '' ? [part] : part.map((id) => [id]);
    const args = [start, end, backward ? 'backward' : 'forward', limit];
    const found = await runRead(() => Promise.all(groups.map((group) => findIn(redis, group, name, args))));
    const calls = found.flat();
    wanted += calls.length;
    yield calls;
  }
}

async function findIn(
  redis: RedisConnection,
  workspaceIds: string[],
  name: string,
  args: (string | number)[],
): Promise<FoundCall[]> {
  const keys = workspaceIds.map((id) => stateKey(id, name));
  const answer = (await findNearest.run(redis, keys, args)) as (number | string)[];
  const found: FoundCall[] = [];
  for (let at = 0; at < answer.length; at += 2) {
    const workspaceId = workspaceIds[(answer[at] as number) - 1] as string;
    found.push({ workspaceId, id: answer[at + 1] as string });
  }
  return found;
}
