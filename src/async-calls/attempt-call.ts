import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis/connections.ts';
import { ledgerKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import type { AsyncCall } from './async-call.ts';
import { callName, entryOf, keysOf, PLACED, statusLists, WAITING } from './call-keys.ts';

/** A call that has killed this many processes while it ran alone is not run again. */
export const KILLED_MAX = 2;

/**
 * KEYS  1 ledger hash, 2 record, 3 list of running, 4 of the account's, 5 list of queued, 6 of the account's, 7 waiting
 * ARGV  1 call id, 2 name of the attempt (a resent command is the same attempt), 3 `1` if the call is alone in its process,
 *       4 the most processes that it may have killed, 5 entry
 * Result nil if the call has ended, waits for its next job or does not exist, {''} if it must run alone and does not, else {call, attempts,
 *        processes killed, now, when it became due, whether it had to wait before}
 */
const begin = new Script(`
if redis.call('HEXISTS', KEYS[1], 'reply') == 1 then return nil end
-- The job is left of an attempt that was postponed: its worker was killed, or it was added again just then.
if redis.call('ZSCORE', KEYS[7], ARGV[5]) then return nil end
local call = redis.call('HGET', KEYS[2], 'call')
if not call then return nil end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local before = redis.call('HGET', KEYS[2], 'running')
local isNew = before ~= ARGV[2]
if before and isNew then redis.call('HSET', KEYS[2], 'interrupted', 1) end
local isInterrupted = redis.call('HEXISTS', KEYS[2], 'interrupted') == 1
local isWaiter = redis.call('HEXISTS', KEYS[2], 'waits')
local killed = tonumber(redis.call('HGET', KEYS[2], 'killed') or 0)
-- It left a process of its own alive, and then another process died while it waited there: that one counts as killed.
if isInterrupted and isWaiter == 1 then killed = killed + 1 end
local isSuspect = isInterrupted and killed < tonumber(ARGV[4])
if isSuspect and ARGV[3] ~= '1' then return {''} end
redis.call('HSET', KEYS[2], 'running', ARGV[2], 'startedAt', now)
local attempts = redis.call('HINCRBY', KEYS[2], 'attempts', isNew and 1 or 0)
for i = 3, 4 do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
for i = 5, 6 do redis.call('ZREM', KEYS[i], ARGV[1]) end
return {call, attempts, killed, now, redis.call('HGET', KEYS[2], 'runAt'), isWaiter}
`);

/**
 * KEYS  1 record, 2 list of running, 3 of the account's, 4 list of queued, 5 of the account's
 * ARGV  1 call id, 2 name of the attempt
 * Result 1, or 0 if that attempt does not run any more: then nothing was written
 */
const moveOn = new Script(`
if redis.call('HGET', KEYS[1], 'running') ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'running', 'interrupted')
redis.call('HSET', KEYS[1], 'waits', 1)
-- The same attempt goes on in another process.
redis.call('HINCRBY', KEYS[1], 'attempts', -1)
for i = 2, 3 do redis.call('ZREM', KEYS[i], ARGV[1]) end
for i = 4, 5 do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
return 1
`);

/**
 * KEYS  1 record
 * ARGV  1 number of attempts before the process was given the call
 * Result number of processes that the call has killed alone, including this one; 0 if it does not exist, or had not started in the process
 */
const noteKill = new Script(`
if tonumber(redis.call('HGET', KEYS[1], 'attempts') or 0) <= tonumber(ARGV[1]) then return 0 end
-- A command that is resent after the connection was cut finds its own kill.
if redis.call('HGET', KEYS[1], 'lastKill') == ARGV[1] then return tonumber(redis.call('HGET', KEYS[1], 'killed') or 0) end
redis.call('HSET', KEYS[1], 'lastKill', ARGV[1])
return redis.call('HINCRBY', KEYS[1], 'killed', 1)
`);

/**
 * KEYS  1 ledger hash, 2 record, 3 waiting, 4 placed, 5 list of running, 6 of the account's, 7 list of queued, 8 of the account's
 * ARGV  1 call id, 2 entry, 3 when it may run again, 4 the problem as JSON, 5 name of the attempt, 6 `0` if the attempt does not count
 * Result 1, or 0 if the call has ended, or that attempt does not run any more: then nothing was written
 */
const postpone = new Script(`
if redis.call('HEXISTS', KEYS[1], 'reply') == 1 or redis.call('HGET', KEYS[2], 'running') ~= ARGV[5] then return 0 end
redis.call('HDEL', KEYS[2], 'running', 'interrupted', 'killed', 'lastKill', 'waits')
redis.call('HSET', KEYS[2], 'runAt', ARGV[3], 'problem', ARGV[4])
if ARGV[6] == '0' then redis.call('HINCRBY', KEYS[2], 'attempts', -1) end
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
for i = 5, 6 do redis.call('ZREM', KEYS[i], ARGV[1]) end
for i = 7, 8 do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
return 1
`);

/** One attempt at a call. */
export interface CallAttempt {
  call: AsyncCall;
  /** The number of attempts, including this one. */
  attempts: number;
  /** How many processes in a row the call has killed while it ran alone. */
  killed: number;
  /** When the attempt began: ms since the epoch, Redis' clock. */
  startedAt: number;
  /** When the call became due, in ms since the epoch. */
  runAt: number;
  name: string;
  /** Whether it has left a process of its own before, because it had to wait. */
  isWaiter: boolean;
}

/** A reference to a call: its workspace, id and account. */
export interface CallRef {
  workspaceId: string;
  callId: string;
  accountId: string;
}

/**
 * Records the start of an attempt; null if the call has ended, or waits for its next job. A call whose process died may only run alone in
 * its process: otherwise returns `suspect`, and no attempt starts.
 */
export async function beginAttempt(
  redis: RedisConnection,
  ref: CallRef,
  isAlone: boolean,
): Promise<CallAttempt | 'suspect' | null> {
  const { workspaceId, callId, accountId } = ref;
  const name = randomBytes(9).toString('base64url');
  const lists = [...statusLists('running', accountId), ...statusLists('queued', accountId)];
  const keys = [
    ledgerKey(workspaceId, callId),
    ...keysOf(workspaceId, [callName(callId), ...lists, WAITING]),
  ];
  const args = [callId, name, isAlone ? 1 : 0, KILLED_MAX, entryOf(callId, accountId)];
  const begun = (await begin.run(redis, keys, args)) as
    | [string, number, number, string, string, number]
    | null;
  if (begun === null) return null;
  const [call, attempts, killed, startedAt, runAt, isWaiter] = begun;
  if (call === '') return 'suspect';
  return {
    call: JSON.parse(call) as AsyncCall,
    attempts,
    killed,
    startedAt: Number(startedAt),
    runAt: Number(runAt),
    name,
    isWaiter: isWaiter === 1,
  };
}

/** Records that an attempt in a process of its own has to wait, and goes on among other calls. */
export async function leaveOwnProcess(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallRef,
  { name }: CallAttempt,
): Promise<void> {
  const names = [callName(callId), ...statusLists('running', accountId), ...statusLists('queued', accountId)];
  await moveOn.run(redis, keysOf(workspaceId, names), [callId, name]);
}

/** The number of attempts at a call so far; 0 if it does not exist. */
export async function countAttempts(
  redis: RedisConnection,
  { workspaceId, callId }: CallRef,
): Promise<number> {
  const [record] = keysOf(workspaceId, [callName(callId)]) as [string];
  return Number(await redis.hget(record, 'attempts'));
}

/**
 * Records that a call has killed a process in which it ran alone, if it had started there. `attemptsBefore` is the number of attempts
 * before the process was given the call.
 */
export async function recordKill(
  redis: RedisConnection,
  { workspaceId, callId }: CallRef,
  attemptsBefore: number,
): Promise<void> {
  await noteKill.run(redis, keysOf(workspaceId, [callName(callId)]), [attemptsBefore]);
}

/** Postpones a call to be retried at `runAt` (whole ms since the epoch). False if it has ended, or another attempt has begun since. */
export async function postponeCall(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallRef,
  { name }: Pick<CallAttempt, 'name'>,
  runAt: number,
  problem: { code?: string },
): Promise<boolean> {
  const names = [
    callName(callId),
    WAITING,
    PLACED,
    ...statusLists('running', accountId),
    ...statusLists('queued', accountId),
  ];
  const keys = [ledgerKey(workspaceId, callId), ...keysOf(workspaceId, names)];
  // The worker has interrupted the attempt; the call has not failed.
  const counts = problem.code === 'shutting_down' ? 0 : 1;
  const args = [callId, entryOf(callId, accountId), runAt, JSON.stringify(problem), name, counts];
  return (await postpone.run(redis, keys, args)) === 1;
}
