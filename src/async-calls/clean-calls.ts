import { byteKeys } from '../bytes/byte-budget.ts';
import { COUNT_BYTES, KEY_BYTES } from '../bytes/count-bytes.ts';
import { beforeTime, findEntries, memberOf } from '../directory/list-entries.ts';
import { KEPT_MS } from '../ledger/retention.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { bytesKey, ledgerKey, stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { CALL_OVERHEAD } from './accept-call.ts';
import type { CallStatus } from './async-call.ts';
import {
  callName,
  EXPIRING,
  endedLists,
  keysOf,
  PLACED,
  plainLists,
  statusLists,
  WAITING,
} from './call-keys.ts';
import { forgetCallWorkspace } from './call-workspace.ts';
import { PLACED_CHECK_MS } from './place-calls.ts';

const CLEANED_AT_ONCE = 200;
// How many calls one step removes to free bytes: a few large calls are enough.
const CLEANED_FOR_BYTES = 10;
// All calls count, as it is not known what the open ones take. However much that is, their callers must have time to read how calls ended.
const SPARED_MS = 10 * 60_000;

const ENDED_LISTS = endedLists();

/**
 * KEYS  1 record, 2 ledger, 3 heads, 4 the workspace's bytes, 5 expiring, 6… the sets of calls that have ended, then lists
 * ARGV  1 call id, 2 entry with status, 3 for how many ms the ledger stays, 4 workspace
 * Result 1
 */
const forget = new Script(`#!lua flags=allow-oom
${COUNT_BYTES}
local last, removed = ${5 + ENDED_LISTS.length}, 0
for i = 6, last do removed = removed + redis.call('ZREM', KEYS[i], ARGV[2]) end
if removed == 0 then return 1 end
for i = last + 1, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
local bytes = redis.call('HSTRLEN', KEYS[1], 'call') + ${CALL_OVERHEAD}
local reply = redis.call('HSTRLEN', KEYS[2], 'reply')
if reply > 0 then bytes = bytes + reply + ${KEY_BYTES} end
redis.call('UNLINK', KEYS[1])
-- A worker that was suspended during another attempt's success may still wake up and try to commit.
redis.call('PEXPIRE', KEYS[2], ARGV[3], 'LT')
-- Where no call is left, none counts: the size of records that have expired was not subtracted.
if redis.call('EXISTS', unpack(KEYS, 5, last)) == 0 then bytes = redis.call('HGET', KEYS[4], 'calls') or 0 end
-- Not "-bytes": Redis does not take "-0" for a number.
countBytes(KEYS[3], KEYS[4], ARGV[4], 'calls', string.format('%.0f', 0 - bytes))
return 1
`);

/**
 * Removes calls that ended more than a day ago, the oldest calls beyond `keptMax`, and the oldest while all calls take more than half of
 * `bytesMax`; up to three quarters, only those that ended more than ten minutes ago. Returns when there may be more, in ms since the epoch,
 * or null. The ledger keeps a call's outcome for `runMs` more, as long as an attempt may run.
 */
export async function cleanCalls(
  redis: RedisConnection,
  workspaceId: string,
  now: number,
  { keptMax, bytesMax, runMs }: { keptMax: number; bytesMax: number; runMs: number },
): Promise<number | null> {
  const keys = keysOf(workspaceId, ENDED_LISTS);
  const [counts, bytes] = await Promise.all([
    Promise.all(keys.map((key) => redis.zcard(key))),
    redis.hget(bytesKey(workspaceId), 'calls'),
  ]);
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) return null;
  const isHeavy = Number(bytes) > bytesMax / 2;
  const sparedMs = Number(bytes) > bytesMax * 0.75 ? 0 : SPARED_MS;
  const surplus = Math.min(count - keptMax, CLEANED_AT_ONCE);
  // The oldest of those that ended at least so long ago.
  const find = (agoMs: number, most: number) => {
    const to = agoMs === 0 ? null : beforeTime(Math.floor(now - agoMs) + 1);
    return findEntries(redis, keys, 'time', { from: null, to }, false, most);
  };
  let entries = await find(KEPT_MS, CLEANED_AT_ONCE);
  if (isHeavy && entries.length < CLEANED_FOR_BYTES) entries = await find(sparedMs, CLEANED_FOR_BYTES);
  if (surplus > entries.length) entries = await find(0, surplus);
  await Promise.all(entries.map(({ place }) => forgetCall(redis, workspaceId, memberOf(place), runMs)));
  if (entries.length === CLEANED_AT_ONCE || (isHeavy && entries.length > 0)) return now;
  return isHeavy ? now + SPARED_MS : null;
}

async function forgetCall(
  redis: RedisConnection,
  workspaceId: string,
  entry: string,
  runMs: number,
): Promise<void> {
  const [id = '', accountId = '', status = 'failed'] = entry.split(' ');
  const lists = [...plainLists(accountId), ...statusLists(status as CallStatus, accountId)];
  // First, so that if this is interrupted, the rest is found and repeated.
  await forgetCallWorkspace(redis, id);
  const [record = ''] = keysOf(workspaceId, [callName(id)]);
  await forget.run(
    redis,
    [
      record,
      ledgerKey(workspaceId, id),
      ...byteKeys(redis, workspaceId),
      ...keysOf(workspaceId, [EXPIRING, ...ENDED_LISTS, ...lists]),
    ],
    [id, entry, runMs, workspaceId],
  );
}

/**
 * When a workspace is due next, in ms since the epoch; null if nothing is kept there. Waiting calls do not count if they may not be placed.
 */
export async function findNextDue(
  redis: RedisConnection,
  workspaceId: string,
  { mayPlace = true } = {},
): Promise<number | null> {
  const first = (name: string) => redis.zrange(stateKey(workspaceId, name), '0', '0', 'WITHSCORES');
  const names = [WAITING, PLACED, EXPIRING, ...ENDED_LISTS];
  const [waiting, placed, expiring, ...ended] = await Promise.all(names.map(first));
  const times = [
    mayPlace ? scoreOf(waiting, 0) : null,
    scoreOf(placed, PLACED_CHECK_MS),
    scoreOf(expiring, 0),
    ...ended.map((found) => scoreOf(found, KEPT_MS)),
  ].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function scoreOf(found: string[] | undefined, after: number): number | null {
  const score = found?.[1];
  return score === undefined ? null : Number(score) + after;
}
