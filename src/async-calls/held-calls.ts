import type { Pauses, PauseTarget } from '../control/pauses.ts';
import { findRecord } from '../directory/records.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import type { CallRef } from './attempt-call.ts';
import { callName, entryOf, keysOf, PLACED, WAITING } from './call-keys.ts';
import { noteDue, scanWorkspacesWithCalls } from './due-workspaces.ts';
import { findCallRecord } from './find-call.ts';

// Later than any time: a call that is held waits at this score and the round of resuming in which it was held.
const HELD_FROM = 1e15;
const RELEASED_AT_ONCE = 500;
const LOOK_MS = 1_000;

/**
 * KEYS  1 waiting, 2 placed
 * ARGV  1 entry, 2 its score while it is held
 * Result 1
 */
const hold = new Script(`#!lua flags=allow-oom
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) end
return 1
`);

/**
 * KEYS  1 waiting
 * ARGV  1 the score of calls that stay held, 2 the least score of one that is held, 3 how many at most, 4 the start of the key of a call
 * Result how many were released, and how many are still held
 */
const release = new Script(`#!lua flags=allow-oom
local released = 0
for _, range in ipairs({{ARGV[2], '(' .. ARGV[1]}, {'(' .. ARGV[1], '+inf'}}) do
  for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], range[1], range[2], 'BYSCORE', 'LIMIT', 0, ARGV[3] - released)) do
    local runAt = redis.call('HGET', ARGV[4] .. string.match(entry, '^%S+'), 'runAt')
    redis.call('ZADD', KEYS[1], runAt or 0, entry)
    released = released + 1
  end
end
return {released, redis.call('ZCOUNT', KEYS[1], ARGV[2], '+inf')}
`);

/** Whether a call is paused. */
export async function isPaused(redis: RedisConnection, pauses: Pauses, ref: CallRef): Promise<boolean> {
  const { workspaceId, callId, accountId } = ref;
  const method = pauses.hasMethods ? (await findCallRecord(redis, workspaceId, callId))?.method : undefined;
  return pauses.find({ workspaceId, account: { id: accountId }, method: method ?? '' }, 'async') !== null;
}

/** Puts a paused call back from the queue. It stays until something is resumed, which has been `round` times as far as this process knows. */
export async function holdCall(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallRef,
  { round, now }: { round: number; now: number },
): Promise<void> {
  const args = [entryOf(callId, accountId), HELD_FROM + round];
  await hold.run(redis, keysOf(workspaceId, [WAITING, PLACED]), args);
  // It may have been resumed meanwhile.
  await noteDue(redis, workspaceId, now + LOOK_MS);
}

/**
 * Lets calls that are held wait for their turn again if something has been resumed since: those that are still paused come back. `isMore`
 * says that there are others, `isHolding` that some stay.
 */
export async function releaseCalls(
  redis: RedisConnection,
  workspaceId: string,
  round: number,
): Promise<{ isMore: boolean; isHolding: boolean }> {
  const [start = ''] = keysOf(workspaceId, [callName('')]);
  const args = [HELD_FROM + round, HELD_FROM, RELEASED_AT_ONCE, start];
  const found = (await release.run(redis, keysOf(workspaceId, [WAITING]), args)) as [number, number];
  return { isMore: found[0] === RELEASED_AT_ONCE, isHolding: found[1] > 0 };
}

/** Has the calls looked at that a pause has held. */
export async function wakeCalls(redis: RedisConnection, { kind, id }: PauseTarget): Promise<void> {
  if (kind === 'workspace') return noteDue(redis, id, 0);
  if (kind === 'account') {
    const account = await findRecord(redis, 'messenger-accounts', id);
    return account === null ? undefined : noteDue(redis, account.workspaceId, 0);
  }
  for await (const ids of scanWorkspacesWithCalls(redis))
    await Promise.all(ids.map((workspaceId) => noteDue(redis, workspaceId, 0)));
}
