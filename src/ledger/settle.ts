import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { LEDGER_CODEC, VOID } from './codec.ts';
import type { LedgerEntry } from './entry.ts';

/**
 * Settles a call: reads its recorded outcome, or voids the call if there is none, so that it never takes effect.
 *
 * KEYS  1 ledger hash
 * ARGV  1 ledger field, 2 claim (`''` for none), 3 ledger expiry (ms since the epoch)
 * Result the recorded reply frame; nil if the call has not run and never will; '' past the ledger's expiry, when a recorded reply would be
 *        gone
 *
 * It may run when Redis' memory is full: what it writes is small and short-lived, and without it no caller would get an answer.
 */
export const settleScript = new Script(`#!lua flags=allow-oom
${LEDGER_CODEC}
local recorded = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[2] == '' then
  if recorded == '${VOID}' then return nil end
  if recorded then return recorded end
  local time = redis.call('TIME')
  if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[3]) then return '' end
  redis.call('HSET', KEYS[1], ARGV[1], '${VOID}')
  redis.call('PEXPIREAT', KEYS[1], ARGV[3])
  return nil
end
local done, frame = readDone(recorded)
if done then
  -- The reply of a read need not be kept: a read may as well not have run.
  if frame == '' then return nil end
  -- The claim has expired, and the key was used for another request since.
  if done ~= payloadOf(ARGV[2]) then return nil end
  return frame
end
if recorded == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return nil
`);

/**
 * Settles a call. Returns its recorded reply, null once it is certain that the call has not run and never will, or undefined if it is too
 * late to tell: a record would have expired.
 */
export async function settleCall(
  redis: RedisConnection,
  entry: LedgerEntry,
): Promise<string | null | undefined> {
  const { ledger, field, claim, ledgerExpiresAt } = entry;
  const settled = await settleScript.run(redis, [ledger], [field, claim, ledgerExpiresAt]);
  return settled === '' ? undefined : (settled as string | null);
}

/** Releases the claim of an Idempotency-Key: the attempt that held it never takes effect. */
export async function giveUpClaim(redis: RedisConnection, ledger: string, claim: string): Promise<void> {
  await settleScript.run(redis, [ledger], ['reply', claim, 0]);
}

/** The recorded outcome of a call, `VOID` included; null if nothing is recorded yet. */
export async function findRecorded(
  redis: RedisConnection,
  { ledger, field }: LedgerEntry,
): Promise<string | null> {
  return redis.hget(ledger, field);
}
