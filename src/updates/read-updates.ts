import type { RedisConnection } from '../redis/connections.ts';
import { metaKey, updatesKey } from '../redis/keys.ts';
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
 * KEYS 1 meta hash, 2 updates stream
 * ARGV 1 offset to read behind, '' for the beginning of what is held, 2 its entry id, 3 most entries, 4 most bytes (roughly)
 * Result: `gone` or `ok`, offset of the newest update, offset below which updates were trimmed, then the entries.
 */
const readRange = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'tail', 'floor')
local tail, floor = meta[1] or '${ZERO_OFFSET}', meta[2] or '${ZERO_OFFSET}'
if tail == '' then tail = '${ZERO_OFFSET}' end
if ARGV[1] ~= '' and (ARGV[1] < floor or ARGV[1] > tail) then return {'gone', tail, floor} end
local answer = {'ok', tail, floor}
local most, room = tonumber(ARGV[3]), tonumber(ARGV[4])
-- A few at first: there may be room for no more of them.
local step = 4
local from = '(' .. ARGV[2]
if ARGV[1] == '' then from = '(' .. string.gsub(floor, '^0*(%d+)_0*(%d+)$', '%1-%2') end
while most > 0 and room > 0 do
  local wanted = math.min(most, step)
  step = math.min(2 * step, 32)
  local part = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', wanted)
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
    const tail = (await redis.hget(metaKey(workspaceId), 'tail')) || ZERO_OFFSET;
    return { entries: [], next: tail, upToDate: true };
  }
  const offset = from === 'beginning' ? '' : from.offset;
  const answer = await readRange.run(
    redis,
    [metaKey(workspaceId), updatesKey(workspaceId)],
    [offset, offset === '' ? '' : entryIdOf(offset), MAX_ENTRIES, MAX_BYTES],
  );
  const [state, tail, floor, ...found] = answer as [string, string, string, ...[string, string[]][]];
  if (state === 'gone') throw offsetGone(floor);
  const entries = found.map(([id, fields]) => toUpdateEntry(workspaceId, id, fields));
  const next = entries.at(-1)?.offset ?? tail;
  return { entries, next, upToDate: next === tail };
}
