import type { Pauses, PauseTarget } from '../control/pauses.ts';
import { findRecord } from '../directory/records.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import type { CallRef } from './attempt-call.ts';
import { callName, entryOf, keysOf, PLACED, WAITING } from './call-keys.ts';
import { markDue, scanWorkspacesWithCalls } from './due-workspaces.ts';
import { findCallRecord } from './find-call.ts';

// Later than any time. The score of a held call is this plus the number of resumes at the time it was held.
const HELD_FROM = 1e15;
const RELEASED_AT_ONCE = 500;
const RESUME_MARGIN_MS = 1_000;

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
 * ARGV  1 score of calls held since the last resume, which stay held, 2 least score of a held call, 3 most calls to release,
 *       4 prefix of the keys of calls
 * Result number of calls released, number of calls still held
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

/**
 * Moves a paused call from the queue back to the waiting calls, where it is held until the next resume. `round` is the number of resumes,
 * and of forgotten pauses of deleted accounts, that this process knows of.
 */
export async function holdCall(
  redis: RedisConnection,
  { workspaceId, callId, accountId }: CallRef,
  { round, now }: { round: number; now: number },
): Promise<void> {
  const args = [entryOf(callId, accountId), HELD_FROM + round];
  await hold.run(redis, keysOf(workspaceId, [WAITING, PLACED]), args);
  // A resume may have come in between.
  await markDue(redis, workspaceId, now + RESUME_MARGIN_MS);
}

/**
 * Releases the calls that were held before the last resume, so that they wait for their turn. Those that are still paused are held again
 * when they come to run. `round` is that number by now. `isMore` says that more can be released, `isHolding` that some stay held.
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

/** Makes the workspaces due whose calls a pause has held. */
export async function wakeCalls(redis: RedisConnection, { kind, id }: PauseTarget): Promise<void> {
  if (kind === 'workspace') return markDue(redis, id, 0);
  if (kind === 'account') {
    const account = await findRecord(redis, 'messenger-accounts', id);
    return account === null ? undefined : markDue(redis, account.workspaceId, 0);
  }
  for await (const ids of scanWorkspacesWithCalls(redis))
    await Promise.all(ids.map((workspaceId) => markDue(redis, workspaceId, 0)));
}
