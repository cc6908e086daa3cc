import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import type { PendingCall, SentBatch } from './pending-call.ts';
import { type Lane, queueName } from './queues.ts';
import { WIRE_VERSION } from './wire.ts';

const LOOK_EVERY_MS = 2_000;
// Nearly all calls are answered before they are ever looked for.
const LOOKED_FOR_AFTER_MS = 3_000;
const LOOKED_FOR_AT_ONCE = 1_000;

/**
 * Looks for the jobs of calls that have been waiting for a while, and finds those that are on no queue any more: a failover of
 * Redis can lose a job that was put there, and a reply.
 */
export class LostCalls {
  private readonly redis: RedisConnection;
  private readonly waiting: { values(): Iterable<PendingCall> };
  private readonly onLost: (pending: PendingCall) => void;
  private missed = new Set<PendingCall>();
  private looking = false;
  private timer: NodeJS.Timeout | undefined;

  /** `waiting` has the oldest first; `onLost` hears of each call whose job is gone: only the ledger can tell what became of it. */
  constructor(
    redis: RedisConnection,
    waiting: { values(): Iterable<PendingCall> },
    onLost: (pending: PendingCall) => void,
  ) {
    this.redis = redis;
    this.waiting = waiting;
    this.onLost = onLost;
  }

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  // While Redis cannot be asked nothing is known to be lost.
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const sent = this.sentLongAgo();
      const isThere = await Promise.all(sent.map(({ pending, batch }) => this.hasJob(pending, batch)));
      const missing = sent.filter((_, index) => !isThere[index]).map(({ pending }) => pending);
      // Between two looks a reply that was on its way has arrived.
      for (const pending of missing) if (this.missed.has(pending)) this.onLost(pending);
      this.missed = new Set(missing);
    } catch {
      this.missed.clear();
    } finally {
      this.looking = false;
    }
  }

  private sentLongAgo(): { pending: PendingCall; batch: SentBatch }[] {
    const before = performance.now() - LOOKED_FOR_AFTER_MS;
    const found: { pending: PendingCall; batch: SentBatch }[] = [];
    for (const pending of this.waiting.values()) {
      const { batch } = pending;
      if (batch === null || batch.sentAt > before) continue;
      found.push({ pending, batch });
      if (found.length === LOOKED_FOR_AT_ONCE) break;
    }
    return found;
  }

  // It travels in the job of its batch, or in one of its own once it was moved or its batch was interrupted.
  private async hasJob({ call, lane, shard }: PendingCall, batch: SentBatch): Promise<boolean> {
    const jobKey = (of: Lane, id: string) => `${queuePrefix(shard)}:${queueName(of, WIRE_VERSION)}:${id}`;
    const keys = [jobKey(lane, batch.id), jobKey('slow', call.id), jobKey('lone', call.id)];
    return (await this.redis.exists(keys)) > 0;
  }
}
