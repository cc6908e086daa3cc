import { Script } from '../../../redis/script.ts';

/**
 * Publishes the state of one process and returns the recent states of the others. Removes the states of processes that are gone.
 *
 * KEYS  1 hash: process -> `<expiry, ms> <state>`
 * ARGV  1 process, 2 its state, or '' to remove it, 3 time to live of the state (ms)
 * Result the states of the others
 */
export const exchangeScript = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[3]) .. ' ' .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local said = redis.call('HGETALL', KEYS[1])
local others = {}
for i = 1, #said, 2 do
  if said[i] ~= ARGV[1] then
    local space = string.find(said[i + 1], ' ', 1, true) or 1
    local left = (tonumber(string.sub(said[i + 1], 1, space - 1)) or 0) - now
    -- A state that expires so late was published before Redis' clock was set back.
    if left < 0 or left > 2 * ARGV[3] then
      redis.call('HDEL', KEYS[1], said[i])
    else
      others[#others + 1] = string.sub(said[i + 1], space + 1)
    end
  end
end
return others
`);
