import { byteKeys, bytesMaxOf, workspaceFull } from '../bytes/byte-budget.ts';
import { COUNT_BYTES } from '../bytes/count-bytes.ts';
import { releaseDeadClaim } from '../ledger/claim.ts';
import { LEDGER_CODEC } from '../ledger/codec.ts';
import { KEPT_MS } from '../ledger/retention.ts';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { ledgerKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { AsyncCall } from './async-call.ts';
import {
  callName,
  EXPIRING,
  entryOf,
  keysOf,
  PLACED,
  plainLists,
  statusLists,
  WAITING,
} from './call-keys.ts';

// Retries of refused callers are spread over this many more seconds.
const FULL_SECONDS = 10;

/** The most calls of a workspace on the queue; the others wait in the workspace's own cluster slot. */
export const PLACED_MAX = 16;

/** The overhead of a recorded call, in bytes (approximate): its record, its entries in the lists, and the key that names its workspace. */
export const CALL_OVERHEAD = 1_200;

/**
 * Records a call, or finds the earlier use of its key.
 *
 * KEYS  1 ledger hash of the key, 2 record, 3 waiting, 4 placed, 5 expiring, 6 heads, 7 the workspace's bytes, 8… lists
 * ARGV  1 call id, 2 entry, 3 the call as JSON, 4 when it may run or '' for at once, 5 when it expires, 6 when the key's ledger expires
 *       7 hash of the payload or '' for a call without a key, 8 frame that answers the next use of the key
 *       9 most calls on the queue, 10 most calls that have not ended, 11 ids of the API keys behind it, or ''
 *       12 most bytes of all calls, 13 workspace, 14 byte budget of a workspace that has none of its own (0: unlimited)
 *       15 `1` if no new call may be recorded
 * Result {'placed'} | {'waiting'} | {'replay', frame} | {'in flight', claim} | {'reused'} | {'too many'} | {'full'} | {'overdue'}
 */
const accept = new Script(`${COUNT_BYTES}${LEDGER_CODEC}
-- The client has sent the command again, after its connection was cut.
if redis.call('EXISTS', KEYS[2]) == 1 then return {redis.call('ZSCORE', KEYS[4], ARGV[2]) and 'placed' or 'waiting'} end
if ARGV[7] ~= '' then
  local use = findUse(redis.call('HGET', KEYS[1], 'reply'), ARGV[7])
  if use then return use end
end
if ARGV[15] == '1' then return {'overdue'} end
local bytes = #ARGV[3] + ${CALL_OVERHEAD}
local before = tonumber(redis.call('HGET', KEYS[7], 'calls') or 0)
if redis.call('ZCARD', KEYS[5]) >= tonumber(ARGV[10]) or before + bytes > tonumber(ARGV[12]) then return {'too many'} end
if isFull(KEYS[6], KEYS[7], ARGV[13], ARGV[14]) then return {'full'} end
countBytes(KEYS[6], KEYS[7], ARGV[13], 'calls', bytes)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local runAt = tonumber(ARGV[4]) or now
redis.call('HSET', KEYS[2], 'call', ARGV[3], 'runAt', string.format('%.0f', runAt))
if ARGV[11] ~= '' then redis.call('HSET', KEYS[2], 'makers', ARGV[11]) end
redis.call('ZADD', KEYS[5], ARGV[5], ARGV[2])
for i = 8, #KEYS do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
if ARGV[7] ~= '' then
  redis.call('HSET', KEYS[1], 'reply', encodeDone(ARGV[7], ARGV[8]))
  redis.call('PEXPIREAT', KEYS[1], ARGV[6])
  local hour = string.format('%.0f', math.ceil(ARGV[6] / 3600000) * 3600000)
  countBytes(KEYS[6], KEYS[7], ARGV[13], hour, #ARGV[7] + #ARGV[8] + #KEYS[1] + 100)
end
if runAt <= now and redis.call('ZCARD', KEYS[4]) < tonumber(ARGV[9]) then
  redis.call('ZADD', KEYS[4], now, ARGV[2])
  return {'placed'}
end
redis.call('ZADD', KEYS[3], string.format('%.0f', runAt), ARGV[2])
return {'waiting'}
`);

/** How many calls of a workspace may be open, and how many bytes all its calls may take. */
export interface AsyncCallLimits {
  openMax: number;
  bytesMax: number;
}

/** The Idempotency-Key of a call: its ledger, the payload's hash, and the frame that answers a repeated request. */
export interface AcceptKey {
  ledger: string;
  payload: string;
  frame: string;
  /** The problem if the key was not used before, as no new call is accepted any more; null if one is. */
  overdue: Problem | null;
}

/**
 * Records a call, so that it cannot be lost; with `isPlaced`, the caller adds its job now. If the key was used for the same call before,
 * nothing is recorded and the first answer's frame is returned. Throws `rate_limited` if the workspace has too many open calls or too many
 * bytes of calls, `workspace_full` if it has used its byte budget, and the problems of Idempotency-Keys.
 */
export async function acceptCall(
  redis: RedisConnection,
  call: AsyncCall,
  key: AcceptKey | null,
  { openMax, bytesMax }: AsyncCallLimits,
): Promise<{ isPlaced: boolean } | { replay: string }> {
  const { id, workspaceId, messengerAccountId: accountId, expiresAt } = call;
  const lists = [...plainLists(accountId), ...statusLists('queued', accountId)];
  const [outcome, frame = ''] = (await accept.run(
    redis,
    [
      ledgerKey(workspaceId, key?.ledger ?? id),
      ...keysOf(workspaceId, [callName(id), WAITING, PLACED, EXPIRING]),
      ...byteKeys(redis, workspaceId),
      ...keysOf(workspaceId, lists),
    ],
    [
      id,
      entryOf(id, accountId),
      JSON.stringify(call),
      // Not `createdAt`: this process's estimate of Redis' time may be slightly ahead.
      call.scheduleAt ?? '',
      expiresAt,
      expiresAt + 2 * KEPT_MS,
      key?.payload ?? '',
      key?.frame ?? '',
      PLACED_MAX,
      openMax,
      (call.makers ?? []).join(' '),
      bytesMax,
      workspaceId,
      bytesMaxOf(redis),
      key?.overdue ? 1 : 0,
    ],
  )) as [string, string?];
  switch (outcome) {
    case 'replay':
      return { replay: frame };
    case 'in flight':
      if (key !== null && (await releaseDeadClaim(redis, workspaceId, key.ledger, frame)))
        return acceptCall(redis, call, key, { openMax, bytesMax });
      throw new Problem('call_in_flight', { headers: { 'retry-after': '1' } });
    case 'reused':
      throw new Problem('idempotency_key_reused');
    case 'overdue':
      throw key?.overdue;
    case 'full':
      throw await workspaceFull(redis, workspaceId);
    case 'too many':
      throw new Problem('rate_limited', {
        detail: 'The workspace has too many async calls that have not ended, or they take too many bytes.',
        headers: { 'retry-after': String(FULL_SECONDS + Math.floor(Math.random() * FULL_SECONDS)) },
      });
    default:
      return { isPlaced: outcome === 'placed' };
  }
}
