import type { RedisConnection } from '../../redis/connections.ts';
import { ledgerKey, stateKey } from '../../redis/keys.ts';
import { type CallStatus, KEPT_MS } from './async-call.ts';
import { callName, ENDED, EXPIRING, keysOf, PLACED, plainLists, statusLists, WAITING } from './call-keys.ts';
import { forgetCallPlace } from './call-place.ts';
import { PLACED_CHECK_MS } from './place-calls.ts';

const CLEANED_AT_ONCE = 200;

/**
 * Removes calls that ended a day ago, and the oldest of more than `keptMax`; true when there may be more. How a call ended stays in
 * its ledger for `runMs`, as long as an attempt may run.
 */
export async function cleanCalls(
  redis: RedisConnection,
  workspaceId: string,
  now: number,
  { keptMax, runMs }: { keptMax: number; runMs: number },
): Promise<boolean> {
  const key = stateKey(workspaceId, ENDED);
  const [old, count] = await Promise.all([
    redis.zrangebyscore(key, '-inf', Math.floor(now - KEPT_MS), 'LIMIT', 0, CLEANED_AT_ONCE),
    redis.zcard(key),
  ]);
  const surplus = Math.min(count - keptMax, CLEANED_AT_ONCE);
  const entries = surplus > old.length ? await redis.zrange(key, '0', String(surplus - 1)) : old;
  await Promise.all(entries.map((entry) => forgetCall(redis, workspaceId, entry, runMs)));
  return entries.length === CLEANED_AT_ONCE;
}

async function forgetCall(
  redis: RedisConnection,
  workspaceId: string,
  entry: string,
  runMs: number,
): Promise<void> {
  const [id = '', accountId = '', status = 'failed'] = entry.split(' ');
  const lists = [...plainLists(accountId), ...statusLists(status as CallStatus, accountId)];
  await Promise.all(keysOf(workspaceId, lists).map((key) => redis.zrem(key, id)));
  await redis.unlink(stateKey(workspaceId, callName(id)));
  // A worker that slept through another attempt's success may still wake up and try to commit.
  await redis.pexpire(ledgerKey(workspaceId, id), runMs, 'LT');
  await forgetCallPlace(redis, id);
  // Last, so that whoever is interrupted leaves it to be done again.
  await redis.zrem(stateKey(workspaceId, ENDED), entry);
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
