import { Script } from '../script.ts';

/**
 * Takes a run of txids of each workspace for calls that are about to read state.
 *
 * KEYS  1 txid counter, then meta hashes
 * ARGV  how many, for each of those
 * Result for each in turn: first txid, offset of the newest update or ''
 */
export const reserveScript = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = math.max(tonumber(redis.call('GET', KEYS[1])) or 0, now * 2048 - 1)
local taken = {}
for i = 2, #KEYS do
  taken[2 * i - 3], taken[2 * i - 2] = string.format('%.0f', newest + 1), redis.call('HGET', KEYS[i], 'tail') or ''
  newest = newest + ARGV[i - 1]
end
redis.call('SET', KEYS[1], string.format('%.0f', newest))
return taken
`);
