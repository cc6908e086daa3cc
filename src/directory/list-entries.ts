import type { RedisConnection } from '../redis/connections.ts';
import { IS_BEFORE } from '../redis/is-before.ts';
import { Script } from '../redis/script.ts';
import type { Position } from './cursor.ts';

/**
 * How the sorted sets of a list are ordered: by `id` where every score is 0, an entry's place being its id; by `time` where a score is ms
 * since the epoch, the place being `<score> <member>`.
 */
export type ListedBy = 'id' | 'time';

/** A part of a list in ascending order, between two positions; null is the end of the list. */
export interface ListRange {
  from: Position | null;
  to: Position | null;
}

/** An entry of a list, and in which of its sorted sets it is. */
export interface ListEntry {
  set: number;
  place: string;
}

/**
 * Merges sorted sets.
 *
 * KEYS  the sorted sets
 * ARGV  1 `rev` to begin at the upper end, 2 how many entries at most, 3 `id` or `time`, 4 the lower bound, 5 the upper one: by id those of
 *       ZRANGE BYLEX; by time score and member with a space between, then 6 and 7 `1` for bounds that lie behind their entry
 * Result number of the set and place of each entry, in the order of reading
 */
const findNearest = new Script(`
${IS_BEFORE}
local isReverse, isTimed = ARGV[1] == 'rev', ARGV[3] == 'time'
local limit = tonumber(ARGV[2])
local part = math.ceil(limit / #KEYS) + 3
-- The number of entries before a bound. Many entries may have the same score: a binary search finds the member among them.
local function rankOf(key, bound, isBehind)
  local score, member = string.match(bound, '^(%S+) (.*)$')
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. score)
  local high = low + redis.call('ZCOUNT', key, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local at = redis.call('ZRANGE', key, middle, middle)[1]
    if isBefore(at, member) or (isBehind and at == member) then low = middle + 1 else high = middle end
  end
  return low
end
local function readTimed(list)
  local first, last = list.from, math.min(list.from + part, list.to) - 1
  if isReverse then first, last = math.max(list.to - part, list.from), list.to - 1 end
  if isReverse then list.to = first else list.from = last + 1 end
  list.places = {}
  if first > last then return end
  local found = redis.call('ZRANGE', list.key, first, last, 'WITHSCORES')
  for i = 1, #found, 2 do
    local place = string.format('%.0f', found[i + 1]) .. ' ' .. found[i]
    if isReverse then table.insert(list.places, 1, place) else list.places[#list.places + 1] = place end
  end
end
local function read(list)
  list.at = 1
  if isTimed then return readTimed(list) end
  local last = list.places and '(' .. list.places[#list.places]
  if isReverse then list.places = redis.call('ZRANGE', list.key, last or ARGV[5], ARGV[4], 'BYLEX', 'REV', 'LIMIT', 0, part)
  else list.places = redis.call('ZRANGE', list.key, last or ARGV[4], ARGV[5], 'BYLEX', 'LIMIT', 0, part) end
end
-- The list to go on with is the last: texts are slow to compare, and so only the place of that one is sought again.
local open = {}
local function insert(list)
  local place = list.places[list.at]
  local low, high = 1, #open + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    local other = open[middle]
    if isBefore(place, other.places[other.at]) == isReverse then high = middle else low = middle + 1 end
  end
  table.insert(open, low, list)
end
for i, key in ipairs(KEYS) do
  local list = {key = key, number = i}
  if isTimed then
    list.from, list.to = rankOf(key, ARGV[4], ARGV[6] == '1'), rankOf(key, ARGV[5], ARGV[7] == '1')
  end
  read(list)
  if list.places[1] then insert(list) end
end
local answer = {}
while #answer < 2 * limit and #open > 0 do
  local list = table.remove(open)
  answer[#answer + 1] = list.number
  answer[#answer + 1] = list.places[list.at]
  list.at = list.at + 1
  if list.at > #list.places and #list.places == part then read(list) end
  if list.places[list.at] then insert(list) end
end
return answer
`);

/** The scripts of this file, to be loaded at start. */
export const ENTRY_SCRIPTS = [findNearest];

/** The first `count` entries of a span of all the sets together, from its lower end or, in reverse, from its upper one. */
export async function findEntries(
  redis: RedisConnection,
  keys: string[],
  by: ListedBy,
  { from, to }: ListRange,
  isReverse: boolean,
  count: number,
): Promise<ListEntry[]> {
  const bounds =
    by === 'id'
      ? [lexBound(from, '-', '(', '['), lexBound(to, '+', '[', '(')]
      : [from?.id ?? '-inf ', to?.id ?? '+inf ', isBehind(from), isBehind(to)];
  const args = [isReverse ? 'rev' : '', count, by, ...bounds];
  const answer = (await findNearest.run(redis, keys, args)) as (number | string)[];
  const found: ListEntry[] = [];
  for (let at = 0; at < answer.length; at += 2)
    found.push({ set: (answer[at] as number) - 1, place: answer[at + 1] as string });
  return found;
}

/** The member of a sorted set that is ordered by time. */
export function memberOf(place: string): string {
  return place.slice(place.indexOf(' ') + 1);
}

/** The position just before everything of a time and later, in a list that is ordered by time. */
export function beforeTime(ms: number): Position {
  return { side: 'before', id: `${ms} ` };
}

function lexBound(position: Position | null, none: string, behind: string, before: string): string {
  if (position === null) return none;
  return `${position.side === 'after' ? behind : before}${position.id}`;
}

function isBehind(position: Position | null): number {
  return position?.side === 'after' ? 1 : 0;
}
