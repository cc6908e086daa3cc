import { Script } from '../redis/script.ts';

/**
 * Reads fields of several hashes.
 *
 * KEYS  the hashes
 * ARGV  for each hash: how many fields, and these
 * Result for each hash: the values of its fields, or what Redis has against it
 */
export const readHashesScript = new Script(`
local found, at = {}, 1
for i, key in ipairs(KEYS) do
  local count = tonumber(ARGV[at])
  found[i] = redis.pcall('HMGET', key, unpack(ARGV, at + 1, at + count))
  at = at + count + 1
end
return found
`);
