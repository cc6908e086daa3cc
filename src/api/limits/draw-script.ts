import { Script } from '../../redis/script.ts';

/**
 * A token bucket: it holds at most `limit` tokens, and refills evenly: an empty one is full after one window. It stores when it will be full
 * again (ms since the epoch, by Redis' clock) and the ms per token, and expires when it is full. If the limit changes, the number of tokens
 * taken stays the same.
 *
 * KEYS  1 bucket
 * ARGV  1 limit, 2 window (ms), 3 tokens needed, 4 tokens to draw ahead, beyond those, 5 tokens handed back
 * Result {tokens drawn, tokens left, ms until there is one more (0 while some are left)}
 *
 * At most an eighth of what is left is drawn ahead: the emptier the bucket, the fewer tokens lie idle in one process while another
 * refuses. It runs also when Redis' memory is full: otherwise each process would count by itself, and a key could reach its limit once per
 * process.
 */
export const drawScript = new Script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local msPerToken = window / limit
local fullAt, msPerTokenThen = string.match(redis.call('GET', KEYS[1]) or '0 1', '^(%S+) (%S+)$')
local taken = math.max(0, fullAt - now) / msPerTokenThen - ARGV[5]
local full = now + math.min(limit, math.max(0, taken)) * msPerToken
-- The stored time is rounded to microseconds.
local held = math.floor((now + window - full) / msPerToken + 0.001)
local drawn = math.min(held, tonumber(ARGV[3]))
drawn = drawn + math.min(tonumber(ARGV[4]), math.floor((held - drawn) / 8))
full = full + drawn * msPerToken
if full > now then redis.call('SET', KEYS[1], string.format('%.3f %.9f', full, msPerToken), 'PX', math.ceil(full - now))
else redis.call('DEL', KEYS[1]) end
local wait = 0
if held == drawn then wait = math.max(1, math.ceil(full + msPerToken - window - now)) end
return {drawn, held - drawn, wait}
`);
