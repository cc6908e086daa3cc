import { byteKeys } from '../bytes/byte-budget.ts';
import type { RunRead } from '../directory/lists.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type Delivery, lineOf, PING, pendingMemberOf } from './delivery.ts';
import { COUNT_DELIVERIES } from './delivery-bytes.ts';
import { findDelivery } from './find-delivery.ts';
import { DUE_AT_ONCE, endPause, type LineOwner, lineKey } from './line-keys.ts';
import { recordAsked } from './request-wake.ts';

// Their records may have 2 KB each, and others wait while they are parsed.
const IDS_PER_READ = 50;
const QUEUED_AT_ONCE = 20;
// A delivery that was attempted since it was read is read again. After so many times it counts as not settled.
const ROUNDS_MAX = 5;

/**
 * KEYS 1 pending, 2 aside, 3 deliveries, 4 settled, 5 log of queued, 6 of succeeded, 7 of failed ones, 8 heads, 9 the workspace's
 *      bytes
 * ARGV 1 id, 2 member of pending, 3 record, 4 when a delivery outside all lines is due, else '', 5 when the delivery as it was read was
 *      settled, or '' (all ms since the epoch), 6 workspace
 * Result: 1; 0 if it is not settled, or no longer in the log; -1 if it was settled anew since it was read. Only 1 writes.
 */
export const requeue = new Script(`${COUNT_DELIVERIES}
local settledAt = redis.call('ZSCORE', KEYS[4], ARGV[1])
if not settledAt then return 0 end
if math.floor(tonumber(settledAt)) ~= tonumber(ARGV[5]) then return -1 end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[6], ARGV[1])
redis.call('ZREM', KEYS[7], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[1])
countDeliveries(KEYS[8], KEYS[9], ARGV[6], put(KEYS[3], ARGV[1], ARGV[3]))
if ARGV[4] == '' then redis.call('ZADD', KEYS[1], 0, ARGV[2]) else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1]) end
return 1
`);

/**
 * Queues a settled delivery again, at its place in its line, with as many tries as a new one; null if it is not settled. If it was attempted
 * since it was read, it is read again, and queued only if it still `isWanted`.
 */
export async function requeueDelivery(
  redis: RedisConnection,
  owner: LineOwner,
  delivery: Delivery,
  isWanted: (delivery: Delivery) => boolean = () => true,
  rounds = ROUNDS_MAX,
): Promise<Delivery | null> {
  const record: Delivery = {
    ...delivery,
    status: 'queued',
    tries: 0,
    nextAttemptAt: new Date().toISOString(),
    settledAt: null,
  };
  const parts = [
    'pending',
    'aside',
    'deliveries',
    'settled',
    'log:queued',
    'log:succeeded',
    'log:failed',
  ] as const;
  const result = await requeue.run(
    redis,
    [...parts.map((part) => lineKey(owner, part)), ...byteKeys(redis, owner.workspaceId)],
    [
      delivery.id,
      pendingMemberOf(delivery),
      JSON.stringify(record),
      delivery.kind === PING ? DUE_AT_ONCE : '',
      delivery.settledAt === null ? '' : Date.parse(delivery.settledAt),
      owner.workspaceId,
    ],
  );
  if (result === 1) return record;
  if (result === 0 || rounds === 1) return null;
  const found = await findDelivery(redis, owner, delivery.id);
  if (found === null || !isWanted(found)) return null;
  return requeueDelivery(redis, owner, found, isWanted, rounds - 1);
}

/**
 * Makes a queued delivery, or its line, due now, even if the receiver has asked for a pause. Returns whether the delivery is put aside: the
 * caller then adds the delivery's own job, else the job of its line.
 */
export async function makeDueNow(
  redis: RedisConnection,
  owner: LineOwner,
  delivery: Delivery,
): Promise<boolean> {
  const aside = lineKey(owner, 'aside');
  // First: an attempt that fails between these would put it off again. Those of other lines that fail meanwhile are repeated, too.
  await recordAsked(redis, owner);
  await redis.zadd(aside, 'XX', DUE_AT_ONCE, delivery.id);
  await redis.zrem(lineKey(owner, 'holds'), lineOf(delivery));
  await endPause(redis, owner);
  return (await redis.zscore(aside, delivery.id)) !== null;
}

/** How the deliveries of a webhook are queued again: what is read, and with `run`, which runs each short step when it may run. */
export interface Recovery {
  /** For reads of many records. */
  reads: RedisConnection;
  /** Rejects if the caller is gone. What is queued by then stays so. */
  run: RunRead;
}

/** Queues again all deliveries that have failed since `sinceMs` (ms since the epoch), except pings; returns their number. */
export async function requeueFailed(
  redis: RedisConnection,
  owner: LineOwner,
  sinceMs: number,
  { reads, run }: Recovery,
): Promise<number> {
  const isWanted = ({ kind, status, settledAt }: Delivery) =>
    status === 'failed' && kind !== PING && settledAt !== null && Date.parse(settledAt) >= sinceMs;
  let count = 0;
  let from: string | null = '-';
  while (from !== null && sinceMs <= Date.now()) {
    const start: string = from;
    const { found, next } = await run(() => readFailed(reads, owner, start));
    from = next;
    const wanted = found.filter(isWanted);
    for (let at = 0; at < wanted.length; at += QUEUED_AT_ONCE) {
      const some = wanted.slice(at, at + QUEUED_AT_ONCE);
      const queued = await run(() =>
        Promise.all(some.map((delivery) => requeueDelivery(redis, owner, delivery, isWanted))),
      );
      count += queued.filter((record) => record !== null).length;
    }
  }
  return count;
}

/** Some of the failed deliveries, and where the next ones begin (as ZRANGE names it), or null. */
async function readFailed(
  redis: RedisConnection,
  owner: LineOwner,
  from: string,
): Promise<{ found: Delivery[]; next: string | null }> {
  const ids = await redis.zrange(lineKey(owner, 'log:failed'), from, '+', 'BYLEX', 'LIMIT', 0, IDS_PER_READ);
  if (ids.length === 0) return { found: [], next: null };
  const texts = await redis.hmget(lineKey(owner, 'deliveries'), ...ids);
  const found = texts.flatMap((text): Delivery[] => (text === null ? [] : [JSON.parse(text)]));
  return { found, next: ids.length < IDS_PER_READ ? null : `(${ids.at(-1)}` };
}
