import type { RedisConnection } from '../redis/connections.ts';
import { webhookKey } from '../redis/keys.ts';

/** The webhook that has the lines. */
export interface LineOwner {
  id: string;
  workspaceId: string;
}

/** What is kept of a webhook in its workspace's slot, each a key of its own. */
const PARTS = [
  /**
   * hash: position, failures, failingSince, pausedUntil; ping, the newest one; wake and wakeAside, set while a wake is asked for;
   * wokenAt (ms); unlisted, set while there is more that is due than was put among what waits for a lease
   */
  'state',
  /** sorted set, scores 0: `<line> <delivery id>`; one line per messenger account, in the order of the stream */
  'pending',
  /** sorted set: id of a delivery put aside from its line -> when it is tried again */
  'aside',
  /** sorted set: line that waits -> when it is tried again */
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

/** The key of one part of what is kept of a webhook. */
export function lineKey({ id, workspaceId }: LineOwner, part: (typeof PARTS)[number]): string {
  return webhookKey(workspaceId, id, part);
}

/** The keys of all that is kept of a webhook. */
export function lineKeys(owner: LineOwner): string[] {
  return PARTS.map((part) => lineKey(owner, part));
}

/** Begins to keep what is to be sent to a new webhook: what lies behind the offset on its workspace's stream. */
export async function openLines(redis: RedisConnection, owner: LineOwner, position: string): Promise<void> {
  await redis.hset(lineKey(owner, 'state'), { position });
}

/** Forgets that nothing got through to a webhook, and how long its receiver wanted nothing. */
export async function forgiveLines(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await redis.hdel(lineKey(owner, 'state'), 'failures', 'failingSince', 'pausedUntil');
}

/** Removes everything that is kept of a deleted webhook beside its record. */
export async function eraseLines(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await redis.unlink(...lineKeys(owner));
}
