import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { findTail } from '../redis/find-tail.ts';
import { floorKey, headsKey, updatesKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { entryIdOf, offsetGone, ZERO_OFFSET } from './offset.ts';
import { toUpdateEntry, type UpdateEntry } from './update-entry.ts';

/** Where to start reading: behind an offset, at the beginning of what is held, or at the end. */
export type ReadFrom = { offset: string } | 'beginning' | 'end';

/** Some updates in their order, and the offset behind them. */
export interface UpdateBatch {
  entries: UpdateEntry[];
  next: string;
  /** Whether nothing lay behind `next` when it was read. */
  upToDate: boolean;
}

const MAX_ENTRIES = 1_000;
const MAX_BYTES = 1024 * 1024;

/**
 * KEYS 1 heads, 2 floor, 3 updates stream
 * ARGV 1 workspace id, 2 offset to read behind, '' for the beginning of what is held, 3 its entry id, 4 most entries,
 *      5 most bytes (roughly)
 * Result: `gone` or `ok`, offset of the newest update, offset below which updates were trimmed, then the entries.
 */
const readRange = new Script(`
local tail = redis.call('HGET', KEYS[1], ARGV[1]) or '${ZERO_OFFSET}'
local floor = redis.call('GET', KEYS[2]) or '${ZERO_OFFSET}'
if ARGV[2] ~= '' and (ARGV[2] < floor or ARGV[2] > tail) then return {'gone', tail, floor} end
local answer = {'ok', tail, floor}
local most, room = tonumber(ARGV[4]), tonumber(ARGV[5])
-- A few at first: there may be room for no more of them.
local step = 4
local from = '(' .. ARGV[3]
if ARGV[2] == '' then from = '(' .. string.gsub(floor, '^0*(%d+)_0*(%d+)$', '%1-%2') end
while most > 0 and room > 0 do
  local wanted = math.min(most, step)
  step = math.min(2 * step, 32)
  local part = redis.call('XRANGE', KEYS[3], from, '+', 'COUNT', wanted)
  for _, entry in ipairs(part) do
    answer[#answer + 1] = entry
    for _, field in ipairs(entry[2]) do room = room - #field end
    from = '(' .. entry[1]
  end
  most = most - #part
  if #part < wanted then break end
end
return answer
`);

/** The scripts of the update streams, for a readiness check. */
export const UPDATE_SCRIPTS = [readRange];

/** Reads updates of a workspace; `offset_gone` when the offset lies outside of what is held. */
export async function readUpdates(
  redis: RedisConnection,
  workspaceId: string,
  from: ReadFrom,
): Promise<UpdateBatch> {
  if (from === 'end') {
    const tail = (await findTail(redis, workspaceId)) || ZERO_OFFSET;
    return { entries: [], next: tail, upToDate: true };
  }
  const offset = from === 'beginning' ? '' : from.offset;
  const answer = await readRange.run(
    redis,
    [headsKey(commandScope(redis, workspaceId)), floorKey(workspaceId), updatesKey(workspaceId)],
    [workspaceId, offset, offset === '' ? '' : entryIdOf(offset), MAX_ENTRIES, MAX_BYTES],
  );
  const [state, tail, floor, ...found] = answer as [string, string, string, ...[string, string[]][]];
  if (state === 'gone') throw offsetGone(floor);
  const entries = found.map(([id, fields]) => toUpdateEntry(workspaceId, id, fields));
  const next = entries.at(-1)?.offset ?? tail;
  return { entries, next, upToDate: next === tail };
}
