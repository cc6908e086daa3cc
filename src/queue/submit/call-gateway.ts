import { randomBytes } from 'node:crypto';
import type { CallCaps } from '../../directory/accounts.ts';
import type { Freshness } from '../../directory/lookup-cache.ts';
import type { Logger } from '../../logger.ts';
import type { RedisClock } from '../../redis/clock.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import type { Reply } from '../frame.ts';
import { type LaneState, readLanes } from '../read-lanes.ts';
import { ShardWatch } from '../shard-watch.ts';
import { Admission } from './admission.ts';
import type { Ending } from './call-endings.ts';
import type { CallLoad } from './call-load.ts';
import { CallSlots } from './call-slots.ts';
import { Dispatcher } from './dispatcher.ts';
import { LostCalls } from './lost-calls.ts';
import type { Caller, CallRequest, PendingCall } from './pending-call.ts';
import { PendingCalls } from './pending-calls.ts';
import { ReplyReader } from './reply-reader.ts';
import { WorkerWatch } from './worker-watch.ts';

export interface CallGatewayOptions {
  redis: RedisConnection;
  blocking: RedisConnection;
  queueConnection: RedisConnection;
  clock: RedisClock;
  log: Logger;
  /** Receives slot wake-ups. Other code may subscribe to its own channels on this connection. */
  subscriber: RedisConnection;
  /** The current caps on an account's calls; null for none, undefined if the account no longer exists. */
  findCaps(workspaceId: string, accountId: string): Promise<CallCaps | null | undefined>;
  /** Whether Redis has lost its data since `moment`. */
  isLostSince(moment: number): Promise<boolean>;
  /** How long cached weights of workspaces are fresh. */
  freshness: Freshness;
  /** How long calls may wait for their answers when they arrive faster than they are done. */
  maxWaitMs: number;
  /** How long calls may take in any case. */
  timeoutMs: number;
  inFlightMax: number;
  bytesInFlightMax: number;
}

/** The API tier's part of the call path: accepts a call, follows it through the queue and returns its reply. */
export class CallGateway {
  readonly processName = randomBytes(12).toString('base64url');
  readonly admission: Admission;
  readonly workers: WorkerWatch;
  private readonly options: CallGatewayOptions;
  private readonly calls: PendingCalls;
  private readonly slots: CallSlots;
  private readonly dispatchers: Dispatcher[] = [];
  private readonly replies: ReplyReader;
  private readonly lostCalls: LostCalls;
  private readonly shardWatch: ShardWatch;
  private shardsSeen = Infinity;

  constructor(options: CallGatewayOptions) {
    const { redis, blocking, clock, log, subscriber, findCaps, isLostSince } = options;
    const { processName } = this;
    this.options = options;
    this.workers = new WorkerWatch(redis, log);
    const { workers } = this;
    this.admission = new Admission({ ...options, workers });
    const stages = {
      capped: (pending: PendingCall, caps: CallCaps) => this.slots.push(pending, caps),
      queued: (pending: PendingCall) => this.dispatcherOf(pending).push(pending),
      moved: (pending: PendingCall) => this.dispatcherOf(pending).move(pending),
      ended: (pending: PendingCall, how: Ending) => {
        this.dispatcherOf(pending).leave(pending, how);
        if (pending.hasSlot) this.slots.leave(pending);
      },
    };
    const { admission } = this;
    this.calls = new PendingCalls({ redis, clock, log, admission, workers, isLostSince, stages });
    this.slots = new CallSlots({ redis, subscriber, processName, findCaps, calls: this.calls });
    this.replies = new ReplyReader(processName, { commands: redis, blocking }, this.calls);
    this.lostCalls = new LostCalls(redis, log, this.calls);
    this.shardWatch = new ShardWatch(redis, log, (count) => this.lookedAt(count));
  }

  async start(): Promise<void> {
    await this.replies.start();
    await this.shardWatch.start();
    this.lostCalls.start();
    this.calls.start();
    this.workers.start();
  }

  /** The load of the call path: see `CallLoad`. */
  get load(): CallLoad {
    const { inFlight, refusals } = this.admission;
    const { holdingSlots: slotsHeld, awaitingSlots: slotsAwaited, lateReplies } = this.calls;
    const lostCalls = this.lostCalls.count;
    const none = { backlog: 0, outstanding: 0, permits: 0, oldestWaitMs: 0 };
    const load = { inFlight, refusals, slotsHeld, slotsAwaited, lateReplies, lostCalls, ...none };
    const now = this.options.clock.now();
    for (const { backlog, outstanding, permits, oldestWaitsSince } of this.dispatchers) {
      load.backlog += backlog;
      load.outstanding += outstanding;
      load.permits += permits;
      load.oldestWaitMs = Math.max(load.oldestWaitMs, now - (oldestWaitsSince ?? now));
    }
    return load;
  }

  /** How many calls of a workspace wait in this process for their turn. */
  waitingOf(workspaceId: string): number {
    return this.dispatchers.reduce((sum, dispatcher) => sum + dispatcher.waitingOf(workspaceId), 0);
  }

  /** The state of the queues of all lanes, including calls of other processes. */
  readLanes(): Promise<LaneState[]> {
    return readLanes(this.options.redis, this.dispatchers.length);
  }

  /** Runs a call and resolves with its reply: see `PendingCalls.open`. */
  submit(request: CallRequest, caller?: Caller): Promise<Reply> {
    return this.calls.open(request, caller);
  }

  /**
   * Call this after Redis has lost its data. Ends the waiting calls, whose jobs are gone, and recreates the reply stream for the next ones.
   */
  async beginAnew(): Promise<void> {
    await this.replies.keepAlive();
    void this.calls.endAll('unavailable');
  }

  /** Accepts no more calls, waits at most `graceMs` for calls under way, and closes its connections to Redis. */
  async close(graceMs: number): Promise<void> {
    await this.calls.close(graceMs);
    this.admission.close();
    this.shardWatch.stop();
    this.lostCalls.stop();
    this.workers.stop();
    await this.slots.close();
    await Promise.all(this.dispatchers.map((dispatcher) => dispatcher.close()));
    await this.replies.stop();
  }

  // Use a shard that is added later only from the second look that finds it: workers look as often, so by then each of them serves it.
  private lookedAt(count: number): void {
    this.spreadOver(Math.min(count, this.shardsSeen));
    this.shardsSeen = count;
  }

  // Calls that wait or are under way stay on their shards. Shards are never closed.
  private spreadOver(count: number): void {
    while (!this.calls.isClosing && this.dispatchers.length < count) {
      const { redis, queueConnection, freshness } = this.options;
      const dispatcher = new Dispatcher({
        shard: this.dispatchers.length,
        queueConnection,
        redis,
        processName: this.processName,
        freshness,
        replyTo: this.replies.streamKey,
        calls: this.calls,
        workers: this.workers,
      });
      dispatcher.start();
      this.dispatchers.push(dispatcher);
    }
    this.calls.spreadOver(count);
  }

  private dispatcherOf({ shard }: PendingCall): Dispatcher {
    return this.dispatchers[shard] as Dispatcher;
  }
}
