import { Script } from '../script.ts';

/**
 * Takes a run of txids for calls that are about to read state.
 *
 * KEYS  1 meta hash
 * ARGV  1 how many
 * Result {first txid, offset of the newest update or ''}
 */
export const reserveScript = new Script(`
local time = redis.call('TIME')
local meta = redis.call('HMGET', KEYS[1], 'txid', 'tail')
local first = math.max((tonumber(meta[1]) or 0) + 1, (time[1] * 1000 + math.floor(time[2] / 1000)) * 2048)
redis.call('HSET', KEYS[1], 'txid', string.format('%.0f', first + ARGV[1] - 1))
return {string.format('%.0f', first), meta[2] or ''}
`);
