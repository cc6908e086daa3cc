import { Script } from '../redis/script.ts';

/**
 * Decides what became of a call: if nothing is recorded it is made void, so that it never takes effect.
 *
 * KEYS  1 ledger hash
 * ARGV  1 ledger field, 2 claim (`''` for none), 3 ledger expiry (ms since the epoch)
 * Result the recorded reply frame, nil when the call has not run and never will, or '' past the ledger's expiry: whatever was
 *        recorded has gone with it
 *
 * It may run when Redis' memory is full: what it writes is small and short-lived, and without it nobody could be told anything.
 */
export const settleScript = new Script(`#!lua flags=allow-oom
local recorded = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[2] == '' then
  if recorded == 'void' then return nil end
  if recorded then return recorded end
  local time = redis.call('TIME')
  if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[3]) then return '' end
  redis.call('HSET', KEYS[1], ARGV[1], 'void')
  redis.call('PEXPIREAT', KEYS[1], ARGV[3])
  return nil
end
if recorded and string.sub(recorded, 1, 5) == 'done:' then
  local line = string.find(recorded, '\\n', 1, true)
  -- The reply of a call that only reads need not be kept: it may as well not have run.
  if line == #recorded then return nil end
  return string.sub(recorded, line + 1)
end
if recorded == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return nil
`);
