import { byteKeys } from '../bytes/byte-budget.ts';
import { COUNT_BYTES } from '../bytes/count-bytes.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { webhookKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/** The webhook that has the lines. */
export interface LineOwner {
  id: string;
  workspaceId: string;
}

/** The keys of a webhook in its workspace's cluster slot. */
const PARTS = [
  /**
   * hash: position, failures, failingSince; pausedUntil, and pausedAt, when that was asked for; ping, the newest one; wake and wakeAside, how
   * often a wake was asked for; asked, how often that was for a retry at once, which is never reset; wokenAt (ms); wakes, how many there
   * were for successes since a retry has succeeded; unlisted, set while more is due than was listed as waiting for a lease
   */
  'state',
  /** sorted set, scores 0: `<line> <offset> <delivery id>`; one line per messenger account, in the order of the stream */
  'pending',
  /** sorted set: id of a delivery put aside from its line -> when it is retried */
  'aside',
  /** sorted set: line that waits -> when it is retried */
  'holds',
  /** sorted set: line or delivery being sent -> when its lease expires; the fraction of a millisecond says who holds it */
  'places',
  /** sorted set: line or delivery that waits for a lease -> since when */
  'crowd',
  /** hash: id -> delivery as JSON */
  'deliveries',
  /** sorted set: id of a settled delivery -> when it was settled */
  'settled',
  /** sorted sets, scores 0: ids of deliveries, all of them and by status */
  'log:all',
  'log:queued',
  'log:succeeded',
  'log:failed',
] as const;

/** The score in `aside` of a delivery that is due at once: by the clock of any worker, also where that of the API is ahead of it. */
export const DUE_AT_ONCE = 0;

/** The key of one part of a webhook's data. */
export function lineKey({ id, workspaceId }: LineOwner, part: (typeof PARTS)[number]): string {
  return webhookKey(workspaceId, id, part);
}

/** All keys of a webhook's data. */
export function lineKeys(owner: LineOwner): string[] {
  return PARTS.map((part) => lineKey(owner, part));
}

/** Creates the data of a new webhook, which gets the updates after the offset. */
export async function openLines(redis: RedisConnection, owner: LineOwner, position: string): Promise<void> {
  await redis.hset(lineKey(owner, 'state'), { position });
}

/** Resets a webhook's failures and its receiver's pause. */
export async function resetFailures(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await redis.hdel(lineKey(owner, 'state'), 'failures', 'failingSince', 'pausedUntil', 'pausedAt');
}

/** Ends the pause that a webhook's receiver has asked for. */
export async function endPause(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await redis.hdel(lineKey(owner, 'state'), 'pausedUntil', 'pausedAt');
}

/**
 * KEYS 1 heads, 2 the workspace's bytes, then the keys of a webhook
 * ARGV 1 workspace
 *
 * It may run when Redis' memory is full: it frees memory.
 */
export const erase = new Script(`#!lua flags=allow-oom
${COUNT_BYTES}
local bytes = 0
for i = 3, #KEYS do bytes = bytes + (redis.call('MEMORY', 'USAGE', KEYS[i]) or 0) end
redis.call('UNLINK', unpack(KEYS, 3))
-- An erased workspace counts nothing any more.
if bytes > 0 and redis.call('HEXISTS', KEYS[1], ARGV[1] .. ':used') == 1 then
  countBytes(KEYS[1], KEYS[2], ARGV[1], nil, string.format('%.0f', -bytes))
end
`);

/** Removes all data of a deleted webhook except its record. */
export async function eraseLines(redis: RedisConnection, owner: LineOwner): Promise<void> {
  const { workspaceId } = owner;
  await erase.run(redis, [...byteKeys(redis, workspaceId), ...lineKeys(owner)], [workspaceId]);
}
