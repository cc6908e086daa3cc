import { Script } from '../script.ts';

/**
 * Claims an Idempotency-Key for one attempt at a call.
 *
 * KEYS  1 ledger hash of the key
 * ARGV  1 claim (`pending:<attempt> <payload hash>`), 2 payload hash, 3 when the claim ends (ms since the epoch)
 * Result {'claimed'} | {'replay', frame} | {'in flight'} | {'reused'}
 */
export const claimScript = new Script(`
local held = redis.call('HGET', KEYS[1], 'reply')
if not held then
  redis.call('HSET', KEYS[1], 'reply', ARGV[1])
  redis.call('PEXPIREAT', KEYS[1], ARGV[3])
  return {'claimed'}
end
-- The same command once more, after the connection was cut.
if held == ARGV[1] then return {'claimed'} end
if string.sub(held, 1, 5) == 'done:' then
  local line = string.find(held, '\\n', 1, true)
  if string.sub(held, 6, line - 1) ~= ARGV[2] then return {'reused'} end
  return {'replay', string.sub(held, line + 1)}
end
if string.sub(held, string.find(held, ' ', 1, true) + 1) ~= ARGV[2] then return {'reused'} end
return {'in flight'}
`);
