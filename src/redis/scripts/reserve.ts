import { Script } from '../script.ts';

/**
 * Takes a run of txids of each workspace for calls that are about to read state.
 *
 * KEYS  meta hashes
 * ARGV  how many, for each
 * Result for each in turn: first txid, offset of the newest update or ''
 */
export const reserveScript = new Script(`
local time = redis.call('TIME')
local now = (time[1] * 1000 + math.floor(time[2] / 1000)) * 2048
local taken = {}
for i, key in ipairs(KEYS) do
  local meta = redis.call('HMGET', key, 'txid', 'tail')
  local first = math.max((tonumber(meta[1]) or 0) + 1, now)
  redis.call('HSET', key, 'txid', string.format('%.0f', first + ARGV[i] - 1))
  taken[2 * i - 1], taken[2 * i] = string.format('%.0f', first), meta[2] or ''
end
return taken
`);
