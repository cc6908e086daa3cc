import type { CallRef } from '../../src/async-calls/attempt-call.ts';
import { cleanCalls, findNextDue } from '../../src/async-calls/clean-calls.ts';
import { releaseWorkspace, takeDueWorkspaces } from '../../src/async-calls/due-workspaces.ts';
import { endCall } from '../../src/async-calls/end-call.ts';
import { findExpiringCalls, forgetExpiring } from '../../src/async-calls/expiring-calls.ts';
import { findCall } from '../../src/async-calls/find-call.ts';
import { releaseCalls } from '../../src/async-calls/held-calls.ts';
import { findOverdueCalls, placeWaitingCalls } from '../../src/async-calls/place-calls.ts';
import type { Config } from '../../src/config.ts';
import type { Control } from '../../src/control/control.ts';
import type { LiveConfig } from '../../src/control/settings.ts';
import { every, type Repeated } from '../../src/every.ts';
import type { Logger } from '../../src/logger.ts';
import { Problem } from '../../src/problem.ts';
import type { AsyncQueue } from '../../src/queue/async-queue.ts';
import type { RedisClock } from '../../src/redis/clock.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { mayLogLine } from '../../src/tenant-lines.ts';
import type { AsyncMetrics } from './async-metrics.ts';

const EVERY_MS = 500;
// Few, so that other workers find some as well, and the commands of calls do not wait long behind theirs.
const WORKSPACES_AT_ONCE = 8;
const LEASE_MS = 10_000;
const SOONEST_MS = 1_000;

// A resume makes its workspaces due. This is for the case that the resuming process died before that.
const PAUSED_MS = 60_000;

// Long enough to remove calls as fast as they arrive, and short enough for the other workspaces.
const CLEAN_MS = 200;
const EXPIRE_MS = 200;

export interface CallSweeperOptions {
  redis: RedisConnection;
  queue: AsyncQueue;
  control: Pick<Control, 'refresh' | 'pauses' | 'round'> & { live: Pick<LiveConfig, 'endedCallsMax'> };
  clock: RedisClock;
  metrics: AsyncMetrics;
  log: Logger;
  /** How long an attempt may run. */
  runMs: number;
  /** How many bytes all calls of a workspace may take. */
  limits: Pick<Config, 'ASYNC_CALL_BYTES_PER_WORKSPACE'>;
}

/**
 * Looks after the async calls of due workspaces. Queues calls whose time has come, adds jobs again that may be lost, ends expired calls and
 * removes calls whose retention is over. Any number of processes may run it.
 */
export class CallSweeper {
  private readonly options: CallSweeperOptions;
  private sweeping: Repeated | undefined;

  constructor(options: CallSweeperOptions) {
    this.options = options;
  }

  /** Starts to sweep, until `stop`. */
  start(): void {
    this.sweeping = every(EVERY_MS, (signal) => this.sweep(signal), {
      onFailure: (err) => this.options.log.warn({ err }, 'async calls were not looked after; trying again'),
      spread: 0.25,
      atOnce: true,
    });
  }

  async stop(): Promise<void> {
    await this.sweeping?.stop();
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    const { redis, control, log } = this.options;
    while (!signal.aborted) {
      const { until, ids } = await takeDueWorkspaces(redis, WORKSPACES_AT_ONCE, LEASE_MS);
      if (ids.length === 0) return;
      // A resume makes its workspaces due: refresh the pauses, so that they do not count as paused here.
      await control.refresh();
      const sweeps = ids.map(async (workspaceId) => {
        try {
          await releaseWorkspace(redis, workspaceId, until, await this.sweepWorkspace(workspaceId));
        } catch (err) {
          // The other workspaces are still looked after; this one is due again when its lease ends.
          log.warn({ err, workspaceId }, 'async calls of a workspace were not looked after');
        }
      });
      await Promise.all(sweeps);
    }
  }

  // Returns when to look again; null if nothing is left.
  private async sweepWorkspace(workspaceId: string): Promise<number | null> {
    const { redis, queue, clock, control, limits, runMs, metrics } = this.options;
    const expireUntil = performance.now() + EXPIRE_MS;
    for (const ref of await findExpiringCalls(redis, workspaceId, clock.now())) {
      await this.expire(ref);
      if (performance.now() > expireUntil) break;
    }
    const keptMax = control.live.endedCallsMax;
    // Also a lower value that an operator has set: calls that have ended would keep new ones out.
    const bytesMax = limits.ASYNC_CALL_BYTES_PER_WORKSPACE;
    // Before anything is written: when Redis' memory is full, this makes room.
    const cleanUntil = performance.now() + CLEAN_MS;
    let cleanAt: number | null = 0;
    while (cleanAt !== null && cleanAt <= clock.now() && performance.now() < cleanUntil)
      cleanAt = await cleanCalls(redis, workspaceId, clock.now(), { keptMax, bytesMax, runMs });
    const overdue = await findOverdueCalls(redis, workspaceId);
    metrics.readded.inc(overdue.length);
    await queue.addAgain(overdue, clock.now());
    const isPaused = control.pauses.holdsAll(workspaceId);
    const held = isPaused ? null : await releaseCalls(redis, workspaceId, control.round);
    if (!isPaused) await queue.add(await placeWaitingCalls(redis, workspaceId));
    const next = await findNextDue(redis, workspaceId, { mayPlace: !isPaused });
    if (next === null) return null;
    const now = clock.now();
    // Other workspaces have their turn before this one goes on.
    if (held?.isMore) return now;
    const latest = isPaused || held?.isHolding ? now + PAUSED_MS : Number.POSITIVE_INFINITY;
    return Math.min(Math.max(next, now + SOONEST_MS), latest, cleanAt ?? latest);
  }

  private async expire(ref: CallRef): Promise<void> {
    const { redis, clock, runMs, metrics, log } = this.options;
    const { workspaceId, callId } = ref;
    const call = await findCall(redis, workspaceId, callId);
    if (call === null || call.end !== null) return forgetExpiring(redis, ref);
    // Its attempt started in time, and will end soon.
    if (call.status === 'running' && (call.startedAt ?? 0) > clock.now() - runMs) return;
    const problem = new Problem('call_expired');
    if (!(await endCall(redis, call, 'expired', problem, clock.now()))) return;
    metrics.ended.inc({ status: 'expired' });
    const { method, messengerAccountId } = call;
    if (mayLogLine(log, workspaceId))
      log.info({ callId, method, workspaceId, messengerAccountId, status: 'expired' }, 'call expired');
  }
}
