import { Script } from '../redis/script.ts';
import { COUNT_BYTES } from '../state/scripts/bytes.ts';

/**
 * Claims an Idempotency-Key for one attempt at a call. A call that was done and whose reply was not kept, because it only reads, is
 * claimed again.
 *
 * KEYS  1 ledger hash of the key, 2 heads, 3 the workspace's bytes
 * ARGV  1 claim (`pending:<attempt>@<API process> <payload hash>`), 2 payload hash, 3 when the claim ends (ms since the epoch),
 *       4 workspace, 5 bytes that a workspace may keep without a budget of its own, 0 for any number
 * Result {'claimed'} | {'replay', frame} | {'in flight', claim} | {'reused'} | {'full'}
 */
export const claimScript = new Script(`${COUNT_BYTES}
local held = redis.call('HGET', KEYS[1], 'reply')
-- The same command once more, after the connection was cut.
if held == ARGV[1] then return {'claimed'} end
if held and string.sub(held, 1, 5) == 'done:' then
  local line = string.find(held, '\\n', 1, true)
  if string.sub(held, 6, line - 1) ~= ARGV[2] then return {'reused'} end
  if line < #held then return {'replay', string.sub(held, line + 1)} end
elseif held then
  if string.sub(held, string.find(held, ' ', 1, true) + 1) ~= ARGV[2] then return {'reused'} end
  return {'in flight', held}
end
if isFull(KEYS[2], KEYS[3], ARGV[4], ARGV[5]) then return {'full'} end
redis.call('HSET', KEYS[1], 'reply', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return {'claimed'}
`);
