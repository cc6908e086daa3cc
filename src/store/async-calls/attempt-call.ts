import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../../redis/connections.ts';
import { ledgerKey } from '../../redis/keys.ts';
import { Script } from '../../redis/script.ts';
import type { AsyncCall } from './async-call.ts';
import { callName, entryOf, keysOf, PLACED, statusLists, WAITING } from './call-keys.ts';

/**
 * KEYS  1 ledger hash, 2 record, 3 list of running, 4 of the account's, 5 list of queued, 6 of the account's
 * ARGV  1 call id, 2 name of the attempt: sent twice by its connection, it is still one
 * Result nil for a call that has ended or is not there, else {call, attempts, interrupted, now, since when it could run}
 */
const begin = new Script(`
if redis.call('HEXISTS', KEYS[1], 'reply') == 1 then return nil end
local call = redis.call('HGET', KEYS[2], 'call')
if not call then return nil end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local before = redis.call('HGET', KEYS[2], 'running')
local isNew = before ~= ARGV[2]
local interrupted = redis.call('HINCRBY', KEYS[2], 'interrupted', before and isNew and 1 or 0)
redis.call('HSET', KEYS[2], 'running', ARGV[2], 'startedAt', now)
local attempts = redis.call('HINCRBY', KEYS[2], 'attempts', isNew and 1 or 0)
for i = 3, 4 do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
for i = 5, 6 do redis.call('ZREM', KEYS[i], ARGV[1]) end
return {call, attempts, interrupted, now, redis.call('HGET', KEYS[2], 'runAt')}
`);

/**
 * KEYS  1 ledger hash, 2 record, 3 waiting, 4 placed, 5 list of running, 6 of the account's, 7 list of queued, 8 of the account's
 * ARGV  1 call id, 2 entry, 3 when it may run again, 4 the problem as JSON
 * Result 1, or 0 for a call that has ended or is not there; then nothing was written
 */
const postpone = new Script(`
if redis.call('HEXISTS', KEYS[1], 'reply') == 1 or redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('HDEL', KEYS[2], 'running', 'interrupted')
redis.call('HSET', KEYS[2], 'runAt', ARGV[3], 'problem', ARGV[4])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
for i = 5, 6 do redis.call('ZREM', KEYS[i], ARGV[1]) end
for i = 7, 8 do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
return 1
`);

/** One attempt at a call. */
export interface Attempt {
  call: AsyncCall;
  /** How many there were, with this one. */
  attempts: number;
  /** How many attempts before this one, in a row, ended with their process. */
  interrupted: number;
  /** When it began: ms since the epoch, Redis' clock. */
  startedAt: number;
  /** Since when it could run. */
  runAt: number;
}

/** Which call is meant: its workspace, id and account. */
export interface CallPlace {
  workspaceId: string;
  callId: string;
  accountId: string;
}

/** Notes that an attempt begins; null when there is nothing to do any more. */
export async function beginAttempt(redis: RedisConnection, place: CallPlace): Promise<Attempt | null> {
  const { workspaceId, callId, accountId } = place;
  const name = randomBytes(9).toString('base64url');
  const names = [callName(callId), ...statusLists('running', accountId), ...statusLists('queued', accountId)];
  const keys = [ledgerKey(workspaceId, callId), ...keysOf(workspaceId, names)];
  const begun = (await begin.run(redis, keys, [callId, name])) as
    | [string, number, number, string, string]
    | null;
  if (begun === null) return null;
  const [call, attempts, interrupted, startedAt, runAt] = begun;
  return {
    call: JSON.parse(call) as AsyncCall,
    attempts,
    interrupted,
    startedAt: Number(startedAt),
    runAt: Number(runAt),
  };
}

/** Puts a call back to be tried again at `runAt`, unless it has ended. */
export async function postponeCall(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallPlace,
  runAt: number,
  problem: object,
): Promise<void> {
  const names = [
    callName(callId),
    WAITING,
    PLACED,
    ...statusLists('running', accountId),
    ...statusLists('queued', accountId),
  ];
  const keys = [ledgerKey(workspaceId, callId), ...keysOf(workspaceId, names)];
  await postpone.run(redis, keys, [callId, entryOf(callId, accountId), runAt, JSON.stringify(problem)]);
}
