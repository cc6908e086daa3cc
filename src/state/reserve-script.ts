import { Script } from '../redis/script.ts';
import { TXIDS_PER_MS } from '../txid.ts';

/**
 * Reserves consecutive txids for calls that are about to read state, even when Redis' memory is full: orders that free memory need one.
 *
 * KEYS  1 heads
 * ARGV  1 how many txids, then the ids of the calls' workspaces
 * Result first txid, then the offset of each workspace's newest update or nil
 */
export const reserveScript = new Script(`#!lua flags=allow-oom
local call, format = redis.call, string.format
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = call('HMGET', KEYS[1], 'txid', unpack(ARGV, 2))
local first = math.max((tonumber(found[1]) or 0) + 1, now * ${TXIDS_PER_MS})
call('HSET', KEYS[1], 'txid', format('%d', first + ARGV[1] - 1))
found[1] = format('%d', first)
return found
`);
