import { byteKeys } from '../bytes/byte-budget.ts';
import { COUNT_BYTES, KEY_BYTES } from '../bytes/count-bytes.ts';
import { KEPT_MS } from '../ledger/retention.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { bytesKey, ledgerKey, stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { CALL_OVERHEAD } from './accept-call.ts';
import type { CallStatus } from './async-call.ts';
import { callName, ENDED, EXPIRING, keysOf, PLACED, plainLists, statusLists, WAITING } from './call-keys.ts';
import { forgetCallWorkspace } from './call-workspace.ts';
import { PLACED_CHECK_MS } from './place-calls.ts';

const CLEANED_AT_ONCE = 200;
// Of those that are large, few are enough.
const CLEANED_FOR_BYTES = 10;

/**
 * KEYS  1 record, 2 ledger, 3 ended, 4 expiring, 5 heads, 6 the workspace's bytes, 7… lists
 * ARGV  1 call id, 2 entry with status, 3 for how many ms the ledger stays, 4 workspace
 * Result 1
 */
const forget = new Script(`#!lua flags=allow-oom
${COUNT_BYTES}
if redis.call('ZREM', KEYS[3], ARGV[2]) == 0 then return 1 end
for i = 7, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
local bytes = redis.call('HSTRLEN', KEYS[1], 'call') + ${CALL_OVERHEAD}
local reply = redis.call('HSTRLEN', KEYS[2], 'reply')
if reply > 0 then bytes = bytes + reply + ${KEY_BYTES} end
redis.call('UNLINK', KEYS[1])
-- A worker that slept through another attempt's success may still wake up and try to commit.
redis.call('PEXPIRE', KEYS[2], ARGV[3], 'LT')
-- Where no call is left, none counts: what went by itself was not taken off.
if redis.call('EXISTS', KEYS[3], KEYS[4]) == 0 then bytes = tonumber(redis.call('HGET', KEYS[6], 'calls') or 0) end
countBytes(KEYS[5], KEYS[6], ARGV[4], 'calls', string.format('%.0f', -bytes))
return 1
`);

/**
 * Removes calls that ended a day ago, the oldest of more than `keptMax`, and the oldest while all calls have more than half of `bytesMax`;
 * true when there may be more. How a call ended stays in its ledger for `runMs`, as long as an attempt may run.
 */
export async function cleanCalls(
  redis: RedisConnection,
  workspaceId: string,
  now: number,
  { keptMax, bytesMax, runMs }: { keptMax: number; bytesMax: number; runMs: number },
): Promise<boolean> {
  const key = stateKey(workspaceId, ENDED);
  const [old, count, bytes] = await Promise.all([
    redis.zrangebyscore(key, '-inf', Math.floor(now - KEPT_MS), 'LIMIT', 0, CLEANED_AT_ONCE),
    redis.zcard(key),
    redis.hget(bytesKey(workspaceId), 'calls'),
  ]);
  const isHeavy = Number(bytes) > bytesMax / 2;
  const surplus = Math.min(Math.max(count - keptMax, isHeavy ? CLEANED_FOR_BYTES : 0), CLEANED_AT_ONCE);
  const entries = surplus > old.length ? await redis.zrange(key, '0', String(surplus - 1)) : old;
  await Promise.all(entries.map((entry) => forgetCall(redis, workspaceId, entry, runMs)));
  return entries.length === CLEANED_AT_ONCE || (isHeavy && entries.length > 0);
}

async function forgetCall(
  redis: RedisConnection,
  workspaceId: string,
  entry: string,
  runMs: number,
): Promise<void> {
  const [id = '', accountId = '', status = 'failed'] = entry.split(' ');
  const lists = [...plainLists(accountId), ...statusLists(status as CallStatus, accountId)];
  // First: when this is interrupted, the rest is still there to be done again.
  await forgetCallWorkspace(redis, id);
  const [record = '', ...places] = keysOf(workspaceId, [callName(id), ENDED, EXPIRING]);
  await forget.run(
    redis,
    [
      record,
      ledgerKey(workspaceId, id),
      ...places,
      ...byteKeys(redis, workspaceId),
      ...keysOf(workspaceId, lists),
    ],
    [id, entry, runMs, workspaceId],
  );
}

/** When a workspace has to be looked at next, ms since the epoch; null when nothing is kept there. */
export async function findNextDue(redis: RedisConnection, workspaceId: string): Promise<number | null> {
  const first = (name: string) => redis.zrange(stateKey(workspaceId, name), '0', '0', 'WITHSCORES');
  const [waiting, placed, expiring, ended] = await Promise.all([WAITING, PLACED, EXPIRING, ENDED].map(first));
  const times = [
    scoreOf(waiting, 0),
    scoreOf(placed, PLACED_CHECK_MS),
    scoreOf(expiring, 0),
    scoreOf(ended, KEPT_MS),
  ].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function scoreOf(found: string[] | undefined, after: number): number | null {
  const score = found?.[1];
  return score === undefined ? null : Number(score) + after;
}
