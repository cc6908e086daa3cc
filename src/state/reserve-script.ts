import { Script } from '../redis/script.ts';
import { TXIDS_PER_MS } from '../txid.ts';

/**
 * Takes a run of txids of each workspace for calls that are about to read state.
 *
 * KEYS  1 heads
 * ARGV  for each workspace: its id, how many
 * Result for each in turn: first txid, offset of the newest update or ''
 */
export const reserveScript = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local asked = {'txid'}
for i = 1, #ARGV, 2 do asked[#asked + 1] = ARGV[i] end
local heads = redis.call('HMGET', KEYS[1], unpack(asked))
local newest = math.max(tonumber(heads[1]) or 0, now * ${TXIDS_PER_MS} - 1)
local taken = {}
for i = 2, #asked do
  taken[2 * i - 3], taken[2 * i - 2] = string.format('%.0f', newest + 1), heads[i] or ''
  newest = newest + ARGV[2 * i - 2]
end
redis.call('HSET', KEYS[1], 'txid', string.format('%.0f', newest))
return taken
`);
