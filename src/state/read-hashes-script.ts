import { Script } from '../redis/script.ts';

/**
 * Reads fields of several hashes.
 *
 * KEYS  the hashes
 * ARGV  for each hash: how many fields, and these
 * Result the values of all fields; for a key that is no hash, Redis' error as the first value and nil for the others
 */
export const readHashesScript = new Script(`
local KEYS, ARGV, pcall, unpack = KEYS, ARGV, redis.pcall, unpack
local found, at, size = {}, 1, 0
for i = 1, #KEYS do
  local asked = ARGV[at]
  if asked == '1' then
    -- The same result and the same error as HMGET, but without a table.
    found[size + 1] = pcall('HGET', KEYS[i], ARGV[at + 1])
    at, size = at + 2, size + 1
  else
    local count = tonumber(asked)
    local values = pcall('HMGET', KEYS[i], unpack(ARGV, at + 1, at + count))
    if values.err then
      found[size + 1] = values
      for j = 2, count do found[size + j] = false end
    else
      for j = 1, count do found[size + j] = values[j] end
    end
    at, size = at + count + 1, size + count
  end
end
return found
`);
