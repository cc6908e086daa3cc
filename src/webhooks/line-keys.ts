import type { RedisConnection } from '../redis/connections.ts';
import { webhookKey } from '../redis/keys.ts';

/** The webhook that has the lines. */
export interface LineOwner {
  id: string;
  workspaceId: string;
}

/** The keys of a webhook in its workspace's cluster slot. */
const PARTS = [
  /**
   * hash: position, failures, failingSince; pausedUntil, and pausedAt, when that was asked for; ping, the newest one; wake and wakeAside, how
   * often a wake was asked for; wokenAt (ms); wakes, how many there were for successes since a retry has succeeded; unlisted, set while
   * more is due than was listed as waiting for a lease
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
  /** sorted set: id of a delivery that is over -> when it was */
  'settled',
  /** sorted sets, scores 0: ids of deliveries, all of them and by status */
  'log:all',
  'log:queued',
  'log:succeeded',
  'log:failed',
] as const;

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

/** Removes all data of a deleted webhook except its record. */
export async function eraseLines(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await redis.unlink(...lineKeys(owner));
}
