import { every, type Repeated } from '../../every.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { queuePrefix } from '../../redis/keys.ts';
import { type Lane, ownJobIds, queueName } from '../queues.ts';
import { WIRE_VERSION } from '../wire.ts';
import type { PendingCall, SentBatch } from './pending-call.ts';
import type { PendingCalls } from './pending-calls.ts';

const LOOK_EVERY_MS = 2_000;
// Nearly all calls are answered before this time is over.
const LOOKED_FOR_AFTER_MS = 3_000;
const LOOKED_FOR_AT_ONCE = 1_000;
const FROM_THE_OLDEST = -1;
// The lanes whose jobs carry one call.
const ALONE: readonly Lane[] = ['slow', 'lone'];

/**
 * Finds calls whose jobs are no longer on any queue. A failover of Redis can lose a job that was added, and a reply. Checks calls that have
 * waited for a while.
 */
export class LostCalls {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly calls: Pick<PendingCalls, 'values' | 'end'>;
  private missed = new Set<PendingCall>();
  /** Lost calls, whose end may take as long as Redis cannot be asked. */
  private readonly ending = new WeakSet<PendingCall>();
  /** The number of the call before the first one to look for. */
  private after = FROM_THE_OLDEST;
  private lost = 0;
  private looking: Repeated | undefined;

  constructor(redis: RedisConnection, log: Logger, calls: Pick<PendingCalls, 'values' | 'end'>) {
    this.redis = redis;
    this.log = log;
    this.calls = calls;
  }

  /** How many calls have lost their jobs. */
  get count(): number {
    return this.lost;
  }

  start(): void {
    // While Redis cannot be asked, no job is known to be lost.
    this.looking = every(LOOK_EVERY_MS, () => this.look(), { onFailure: () => this.missed.clear() });
  }

  stop(): void {
    void this.looking?.stop();
  }

  private async look(): Promise<void> {
    const { sent, last } = this.sentLongAgo();
    // Calls that were answered meanwhile may be missing, too. If they counted, a few in each look would keep it from those behind.
    const missing = (await this.withoutJob(sent)).filter(({ state }) => state !== 'ended');
    // Only calls without a job in two successive looks are lost: in between, a reply that was on its way has arrived.
    for (const pending of missing) if (this.missed.has(pending)) this.lose(pending);
    const known = missing.filter((pending) => !this.missed.has(pending));
    this.missed = new Set(known);
    // Calls that may be lost are looked for once more, before those behind them.
    if (known.length === 0) this.after = last;
  }

  // Only the ledger can tell what became of the call.
  private lose(pending: PendingCall): void {
    this.lost += 1;
    this.ending.add(pending);
    this.log.warn({ callId: pending.call.id }, 'the job of a call is gone');
    void this.calls.end(pending, 'unavailable');
  }

  /** Some calls sent a while ago, by the batch they were sent in, and after which one the next look begins. */
  private sentLongAgo(): { sent: Map<SentBatch, PendingCall[]>; last: number } {
    const before = performance.now() - LOOKED_FOR_AFTER_MS;
    const sent = new Map<SentBatch, PendingCall[]>();
    let count = 0;
    for (const pending of this.calls.values()) {
      const { batch } = pending;
      if (batch === null || batch.sentAt > before || pending.call.number <= this.after) continue;
      if (this.ending.has(pending)) continue;
      const calls = sent.get(batch);
      if (calls === undefined) sent.set(batch, [pending]);
      else calls.push(pending);
      count += 1;
      if (count === LOOKED_FOR_AT_ONCE) return { sent, last: pending.call.number };
    }
    return { sent, last: FROM_THE_OLDEST };
  }

  // A call travels in the job of its batch, or in a job of its own if it was moved or its batch was interrupted. Nearly always it is the
  // batch's job, which is looked up once for all its calls: a thousand look-ups would hold up this process.
  private async withoutJob(sent: Map<SentBatch, PendingCall[]>): Promise<PendingCall[]> {
    const batches = await Promise.all(
      [...sent].map(async ([batch, calls]) => {
        const [{ lane, shard }] = calls as [PendingCall];
        if (await this.hasJob(shard, [lane, batch.id])) return [];
        const own = calls.map(({ call }) =>
          this.hasJob(shard, ...ownJobIds(call.id).flatMap((id) => ALONE.map((lane) => [lane, id] as const))),
        );
        const isQueued = await Promise.all(own);
        return calls.filter((_, index) => !isQueued[index]);
      }),
    );
    return batches.flat();
  }

  private async hasJob(shard: number, ...jobs: (readonly [lane: Lane, id: string])[]): Promise<boolean> {
    const keys = jobs.map(([lane, id]) => `${queuePrefix(shard)}:${queueName(lane, WIRE_VERSION)}:${id}`);
    return (await this.redis.exists(keys)) > 0;
  }
}
