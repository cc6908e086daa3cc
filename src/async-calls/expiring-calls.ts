import { byteKeys } from '../bytes/byte-budget.ts';
import { COUNT_BYTES } from '../bytes/count-bytes.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { CallRef } from './attempt-call.ts';
import {
  callName,
  EXPIRING,
  endedLists,
  entryOf,
  keysOf,
  PLACED,
  plainLists,
  statusLists,
  WAITING,
} from './call-keys.ts';
import { toCallRef } from './place-calls.ts';

const AT_ONCE = 100;
const ENDED_LISTS = endedLists();

/**
 * KEYS  1 record, 2 heads, 3 the workspace's bytes, 4 waiting, 5 placed, 6 expiring, then the sets of calls that have ended, then lists
 * ARGV  1 call id, 2 entry, 3 workspace
 * Result 1
 */
const forget = new Script(`#!lua flags=allow-oom
${COUNT_BYTES}
for i = 4, 6 do redis.call('ZREM', KEYS[i], ARGV[2]) end
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
local last = ${6 + ENDED_LISTS.length}
for i = last + 1, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
-- How large it was is no longer known. Where no call is left, none counts.
if redis.call('EXISTS', unpack(KEYS, 6, last)) == 0 then
  -- Not "-bytes": Redis does not take "-0" for a number.
  countBytes(KEYS[2], KEYS[3], ARGV[3], 'calls', string.format('%.0f', 0 - (redis.call('HGET', KEYS[3], 'calls') or 0)))
end
return 1
`);

/** Calls whose expiry has passed by `now`, earliest first, at most a hundred. */
export async function findExpiringCalls(
  redis: RedisConnection,
  workspaceId: string,
  now: number,
): Promise<CallRef[]> {
  const key = stateKey(workspaceId, EXPIRING);
  const entries = await redis.zrangebyscore(key, '-inf', Math.floor(now), 'LIMIT', 0, AT_ONCE);
  return entries.map((entry) => toCallRef(workspaceId, entry));
}

/**
 * Removes a call that has ended from the set of expiring calls, and one that does not exist from all lists: the records of earlier releases
 * expired if no worker had run for days.
 */
export async function forgetExpiring(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallRef,
): Promise<void> {
  const lists = [
    ...plainLists(accountId),
    ...statusLists('queued', accountId),
    ...statusLists('running', accountId),
  ];
  const [record = '', ...sets] = keysOf(workspaceId, [
    callName(callId),
    ...[WAITING, PLACED, EXPIRING],
    ...ENDED_LISTS,
    ...lists,
  ]);
  const keys = [record, ...byteKeys(redis, workspaceId), ...sets];
  await forget.run(redis, keys, [callId, entryOf(callId, accountId), workspaceId]);
}
