import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallCaps } from '../../directory/accounts.ts';
import type { Freshness } from '../../directory/lookup-cache.ts';
import { releaseClaim } from '../../ledger/claim.ts';
import type { Logger } from '../../logger.ts';
import { Problem, type ProblemCode, type ProblemOptions } from '../../problem.ts';
import type { RedisClock } from '../../redis/clock.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { STOP_CHANNEL } from '../../redis/keys.ts';
import { TransientMap } from '../../transient-map.ts';
import { decodeFrame, type Reply } from '../frame.ts';
import { ShardWatch } from '../shard-watch.ts';
import { shardOf } from '../shards.ts';
import { Admission, type CallOwner } from './admission.ts';
import { askLedger } from './ask-ledger.ts';
import type { CallLoad } from './call-load.ts';
import { CallSlots } from './call-slots.ts';
import { Deadlines } from './deadlines.ts';
import { Dispatcher } from './dispatcher.ts';
import { LostCalls } from './lost-calls.ts';
import { type Caller, type CallRequest, type PendingCall, toNumberedCall } from './pending-call.ts';
import { ReplyReader } from './reply-reader.ts';

export interface CallGatewayOptions {
  redis: RedisConnection;
  blocking: RedisConnection;
  queueConnection: RedisConnection;
  clock: RedisClock;
  log: Logger;
  /** Hears of wake-ups; others may listen to channels of their own on it. */
  subscriber: RedisConnection;
  /** The caps on an account's calls now; null for none, undefined when there is no such account any more. */
  findCaps(workspaceId: string, accountId: string): Promise<CallCaps | null | undefined>;
  /** Whether Redis has lost its data after that moment. */
  isLostSince(moment: number): Promise<boolean>;
  /** For how long the weights of workspaces hold. */
  freshness: Freshness;
  /** How long calls may wait for their answers when more come than get done. */
  maxWaitMs: number;
  /** How long calls may take at all. */
  timeoutMs: number;
  inFlightMax: number;
  bytesInFlightMax: number;
}

/** Why a call ends without having run, and what its problem says beside that. */
const ENDINGS = {
  call_timeout: {},
  canceled: {},
  unavailable: { headers: { 'retry-after': '1' } },
  shutting_down: {},
  not_found: { detail: 'The messenger account was deleted while the call waited.' },
} satisfies Partial<Record<ProblemCode, ProblemOptions>>;

/**
 * The API tier's end of the call path: takes a call, sees it through the queue and gives its reply. However it ends (reply,
 * deadline, closed connection, failed submission), what is answered is what the ledger says, so that a call that is reported
 * as not run never runs.
 */
export class CallGateway {
  private readonly options: CallGatewayOptions;
  private readonly waiting = new TransientMap<number, PendingCall>();
  private readonly replies: ReplyReader;
  readonly processName = randomBytes(12).toString('base64url');
  private readonly dispatchers: Dispatcher[] = [];
  private readonly slots: CallSlots;
  private readonly lostCalls: LostCalls;
  private readonly shardWatch: ShardWatch;
  readonly admission: Admission;
  private readonly deadlines: Deadlines;
  private submitted = 0;
  private shards = 1;
  private closing = false;

  constructor(options: CallGatewayOptions) {
    this.options = options;
    this.admission = new Admission(options);
    const connections = { commands: options.redis, blocking: options.blocking };
    this.replies = new ReplyReader(this.processName, connections, (callNumber, reply) =>
      this.settleWith(callNumber, reply),
    );
    this.shardWatch = new ShardWatch(options.redis, options.log, (count) => this.spreadOver(count));
    this.slots = new CallSlots({
      redis: options.redis,
      subscriber: options.subscriber,
      bootId: this.processName,
      findCaps: options.findCaps,
      onAdmitted: (pending) => this.dispatcherOf(pending).push(pending),
      onLost: (pending) => void this.settle(pending, 'unavailable'),
      onGone: (pending) => void this.endGone(pending),
    });
    this.deadlines = new Deadlines(this.waiting, (pending) => void this.settle(pending, 'call_timeout'));
    this.lostCalls = new LostCalls(options.redis, this.waiting, (pending) => {
      options.log.warn({ callId: pending.call.id }, 'the job of a call is gone');
      void this.settle(pending, 'unavailable');
    });
  }

  async start(): Promise<void> {
    await this.replies.start();
    await this.shardWatch.start();
    this.lostCalls.start();
    this.deadlines.start();
  }

  /** What there is to know of the load: see `CallLoad`. */
  get load(): CallLoad {
    const { inFlight, refusals } = this.admission;
    const { held: slotsHeld, waiting: slotsAwaited } = this.slots;
    const none = { backlog: 0, outstanding: 0, places: 0, oldestWaitMs: 0 };
    const load = { inFlight, refusals, slotsHeld, slotsAwaited, ...none };
    const now = this.options.clock.now();
    for (const { backlog, outstanding, places, oldestAcceptedAt } of this.dispatchers) {
      load.backlog += backlog;
      load.outstanding += outstanding;
      load.places += places;
      load.oldestWaitMs = Math.max(load.oldestWaitMs, now - (oldestAcceptedAt ?? now));
    }
    return load;
  }

  /** Looks at a call of a workspace as it arrives: a `Problem` when it is better refused at once than left to wait in vain. */
  check(owner: CallOwner): Problem | null {
    return this.admission.check(owner);
  }

  /**
   * Runs a call and resolves with its reply. Rejects with a `Problem`: `overloaded` at once when too much is under way,
   * `call_timeout` when it did not run in time and never will, `outcome_unknown` when Redis could not be asked. Once `caller`
   * is gone the call is taken back: if it has not run by then, it never will.
   */
  submit(request: CallRequest, caller?: Caller): Promise<Reply> {
    if (this.closing)
      return this.refuse(request, new Problem('shutting_down', { headers: { 'retry-after': '1' } }));
    if (caller?.destroyed) return this.refuse(request, new Problem('canceled'));
    // A call that a cap holds up says nothing about how fast calls get done.
    const inTurn = request.lane === 'shared' && request.caps === null;
    const refusal = this.admission.enter(request, request.bytes, inTurn);
    if (refusal !== null) return this.refuse(request, refusal);
    const { lane, bytes, timeoutMs, caps } = request;
    this.submitted += 1;
    const call = toNumberedCall(request, this.submitted, Math.floor(this.options.clock.now()));
    return new Promise<Reply>((resolve, reject) => {
      const pending: PendingCall = {
        call,
        workspaceId: call.workspaceId,
        bytes,
        lane,
        shard: shardOf(call.workspaceId, this.shards),
        batch: null,
        done: false,
        slot: 'none',
        inTurn,
        holdsPlace: false,
        deadline: performance.now() + timeoutMs,
        resolve,
        reject,
      };
      this.waiting.set(call.number, pending);
      this.deadlines.add(pending);
      caller?.on('close', () => {
        if (!pending.done) void this.settle(pending, 'canceled');
      });
      if (caps === null) this.dispatcherOf(pending).push(pending);
      else this.slots.admit(pending, caps);
    });
  }

  /** To be called when Redis has lost its data: ends the calls that wait, whose jobs are gone, and hears of the next ones. */
  async beginAnew(): Promise<void> {
    await this.replies.keepAlive();
    for (const pending of [...this.waiting.values()]) void this.settle(pending, 'unavailable');
  }

  /** Takes no more calls, waits for those under way for at most `graceMs`, and lets go of Redis. */
  async close(graceMs: number): Promise<void> {
    this.closing = true;
    const until = performance.now() + graceMs;
    while (this.waiting.size > 0 && performance.now() < until) {
      await sleep(20);
    }
    await Promise.all([...this.waiting.values()].map((pending) => this.settle(pending, 'shutting_down')));
    this.deadlines.stop();
    this.admission.close();
    this.shardWatch.stop();
    this.lostCalls.stop();
    await this.slots.close();
    await Promise.all(this.dispatchers.map((dispatcher) => dispatcher.close()));
    await this.replies.stop();
  }

  // Calls that wait or are under way stay where they are, also when there are fewer shards now.
  private spreadOver(count: number): void {
    while (!this.closing && this.dispatchers.length < count) {
      const { redis, queueConnection, freshness } = this.options;
      const dispatcher = new Dispatcher({
        shard: this.dispatchers.length,
        queueConnection,
        redis,
        bootId: this.processName,
        freshness,
        replyTo: this.replies.streamKey,
        onLost: (pending) => void this.settle(pending, 'unavailable'),
      });
      dispatcher.start();
      this.dispatchers.push(dispatcher);
    }
    this.shards = count;
  }

  private dispatcherOf({ shard }: PendingCall): Dispatcher {
    return this.dispatchers[shard] as Dispatcher;
  }

  private settleWith(callNumber: number, reply: Reply): void {
    const pending = this.waiting.get(callNumber);
    if (!pending) return;
    this.dispatcherOf(pending).noteAnswer(pending);
    this.finish(pending);
    pending.resolve(reply);
  }

  private async endGone(pending: PendingCall): Promise<void> {
    const isLost = await this.options.isLostSince(pending.call.acceptedAt);
    await this.settle(pending, isLost ? 'unavailable' : 'not_found');
  }

  private finish(pending: PendingCall, wasInTime = true): void {
    pending.done = true;
    this.waiting.delete(pending.call.number);
    this.admission.leave(pending.workspaceId, pending.bytes, pending.inTurn, wasInTime);
    if (pending.batch !== null) pending.batch.unanswered -= 1;
    this.dispatcherOf(pending).release(pending);
    if (pending.slot !== 'none') this.slots.release(pending);
  }

  private async settle(pending: PendingCall, reason: keyof typeof ENDINGS): Promise<void> {
    if (pending.done) return;
    const options = ENDINGS[reason];
    const wasInTime = reason !== 'call_timeout';
    if (pending.batch === null) {
      this.finish(pending, wasInTime);
      await this.refuse(pending.call, new Problem(reason, options)).catch(pending.reject);
      return;
    }
    const { batch } = pending;
    const recorded = await askLedger(this.options.redis, pending, batch);
    if (pending.done) return;
    this.finish(pending, wasInTime);
    if (recorded === null && batch.unanswered === 0) this.dispatcherOf(pending).drop(pending.lane, batch.id);
    if (recorded === undefined) {
      this.options.log.warn({ callId: pending.call.id, reason }, 'the outcome of a call is unknown');
      pending.reject(new Problem('outcome_unknown'));
    } else if (recorded === null) {
      if (pending.lane === 'slow') this.stopRunning(pending.call.id);
      pending.reject(new Problem(reason, options));
    } else {
      pending.resolve(decodeFrame(recorded));
    }
  }

  // One that awaits something would go on to hold its place in the worker; who does not hear of it stops at the deadline.
  private stopRunning(callId: string): void {
    this.options.redis.spublish(STOP_CHANNEL, callId).catch(() => undefined);
  }

  // Nothing of the call has left this process.
  private async refuse(
    { workspaceId, key }: Pick<CallRequest, 'workspaceId' | 'key'>,
    problem: Problem,
  ): Promise<never> {
    if (key) await releaseClaim(this.options.redis, workspaceId, key);
    throw problem;
  }
}
