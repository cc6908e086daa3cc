import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { findTail } from '../redis/find-tail.ts';
import { IS_BEFORE } from '../redis/is-before.ts';
import { floorKey, headsKey, updatesKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { entryIdOf, offsetGone, ZERO_OFFSET } from './offset.ts';
import { toUpdateEntry, type UpdateEntry } from './update-entry.ts';

/** Where to start reading: after an offset, at the earliest held update, or at the end. */
export type ReadFrom = { offset: string } | 'beginning' | 'end';

/** Updates in their order, and the offset to continue from. */
export interface UpdateBatch {
  entries: UpdateEntry[];
  next: string;
  /** Whether there was no update after `next` when this was read. */
  upToDate: boolean;
}

/** About how many bytes the JSON of updates takes. */
export function sizeOf(entries: readonly UpdateEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

/** The most that is read. One update is read in any case. */
export interface ReadLimits {
  entries: number;
  bytes: number;
}

/** The limits of a page. */
export const PAGE_LIMITS: ReadLimits = { entries: 1_000, bytes: 1024 * 1024 };

/**
 * The limits of a slice: Redis reads it within a millisecond, this process parses it and writes it as JSON in one or two. A live reader is
 * also sent at most this much at once, which bounds the memory that slow readers cost.
 */
export const SLICE_LIMITS: ReadLimits = { entries: 100, bytes: 256 * 1024 };

/**
 * KEYS 1 heads, 2 floor, 3 updates stream
 * ARGV 1 workspace id, 2 offset to read after, '' for the earliest held update, 3 its entry id, 4 most entries,
 *      5 most bytes (the first entry is returned in any case)
 * Result: `gone` or `ok`, offset of the newest update, offset below which updates were trimmed, then the entries.
 */
const readRange = new Script(`
${IS_BEFORE}
local tail = redis.call('HGET', KEYS[1], ARGV[1]) or '${ZERO_OFFSET}'
local floor = redis.call('GET', KEYS[2]) or '${ZERO_OFFSET}'
if ARGV[2] ~= '' and (isBefore(ARGV[2], floor) or isBefore(tail, ARGV[2])) then return {'gone', tail, floor} end
local answer = {'ok', tail, floor}
local most, room = tonumber(ARGV[4]), tonumber(ARGV[5])
-- Few at a time: each may have a MiB, and those without room are read in vain.
local step = 2
local from = '(' .. ARGV[3]
if ARGV[2] == '' then from = '(' .. string.gsub(floor, '^0*(%d+)_0*(%d+)$', '%1-%2') end
while most > 0 and room > 0 do
  local wanted = math.min(most, step)
  step = 4
  local part = redis.call('XRANGE', KEYS[3], from, '+', 'COUNT', wanted)
  for _, entry in ipairs(part) do
    for _, field in ipairs(entry[2]) do room = room - #field end
    if room < 0 and #answer > 3 then return answer end
    answer[#answer + 1] = entry
    from = '(' .. entry[1]
  end
  most = most - #part
  if #part < wanted then break end
end
return answer
`);

/** The scripts of this file, to be loaded at start. */
export const UPDATE_SCRIPTS = [readRange];

/** Reads updates of a workspace, within limits. Throws `offset_gone` if the offset is outside of the held updates. */
export async function readUpdates(
  redis: RedisConnection,
  workspaceId: string,
  from: ReadFrom,
  limits = PAGE_LIMITS,
): Promise<UpdateBatch> {
  if (from === 'end') {
    const tail = (await findTail(redis, workspaceId)) || ZERO_OFFSET;
    return { entries: [], next: tail, upToDate: true };
  }
  const offset = from === 'beginning' ? '' : from.offset;
  const answer = await readRange.run(
    redis,
    [headsKey(commandScope(redis, workspaceId)), floorKey(workspaceId), updatesKey(workspaceId)],
    [workspaceId, offset, offset === '' ? '' : entryIdOf(offset), limits.entries, limits.bytes],
  );
  const [state, tail, floor, ...found] = answer as [string, string, string, ...[string, string[]][]];
  if (state === 'gone') throw offsetGone(floor);
  const entries = found.map(([id, fields]) => toUpdateEntry(workspaceId, id, fields));
  const next = entries.at(-1)?.offset ?? tail;
  return { entries, next, upToDate: next === tail };
}
