import type { Logger } from '../logger.ts';
import { Problem } from '../problem.ts';

/**
 * Why a call is refused:
 * - `wait`: its workspace has more in flight than gets done in time
 * - `crowd`: all workspaces together have
 * - `silence`: nothing has been answered for long
 * - `share`: its workspace holds its share of the calls in flight
 * - `in_flight`, `bytes`: this process holds as much as it may
 */
export type RefusalReason = 'wait' | 'crowd' | 'silence' | 'share' | 'in_flight' | 'bytes';

export interface AdmissionOptions {
  /** How long a call may wait for its answer when more come than get done. */
  maxWaitMs: number;
  inFlightMax: number;
  bytesInFlightMax: number;
  log: Logger;
}

/** How much comes from someone, how much of it gets done, and how much lies between. */
interface Flow {
  inFlight: number;
  /** Of those, the ones that wait for nothing but their turn. */
  inTurn: number;
  offered: number;
  done: number;
  offeredRate: number;
  /** Calls done per second while there was always something to do; null when that is not known. */
  doneRate: number | null;
  /** For how long nothing was done, in seconds; `offered` counts since then. */
  idle: number;
  /** Whether it has been busy since something was done. */
  isMeasured: boolean;
  lastDoneAt: number;
  refused: number;
  wasRefused: boolean;
}

const TICK_MS = 50;
// Of a tenth of a second.
const SMOOTHING = 0.15;

// So few calls say nothing about how fast they get done, and are let in however slow that is.
const FEW = 8;

// More come than get done when it is by this much, and by more than a few: callers who wait for their answers offer only as many as
// get done, but it varies who of them does.
const SURGE = 1.25;

// Whoever offers no more than gets done may wait this many times as long; so may all when no answers come at all.
const PATIENCE = 5;

// A workspace may hold this many times as many calls in flight as there is room left for.
const ROOM_SHARE = 3;

const RETRY_AFTER_MAX = 30;
const CALM_MS = 1_000;

/**
 * The door of the call path. It refuses a call when it arrives rather than let it wait in vain: by how many calls its workspace
 * has in flight, and how fast they have been getting done lately.
 */
export class Admission {
  private readonly options: AdmissionOptions;
  private readonly flows = new Map<string, Flow>();
  private readonly all = aFlow();
  private readonly counts = new Map<RefusalReason, number>();
  private bytes = 0;
  private refusing = 0;
  private surge: { since: number; last: number; refused: number } | null = null;
  private readonly timer: NodeJS.Timeout;
  private tickedAt = performance.now();

  constructor(options: AdmissionOptions) {
    this.options = options;
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  /** How many calls are accepted and not yet answered. */
  get inFlight(): number {
    return this.all.inFlight;
  }

  /** How many calls have been refused, by reason. */
  get refusals(): ReadonlyMap<RefusalReason, number> {
    return this.counts;
  }

  /** Looks at a call of a workspace before anything is done for it; a problem when it is better refused at once. */
  check(workspaceId: string): Problem | null {
    const flow = this.flowOf(workspaceId);
    flow.offered += 1;
    this.all.offered += 1;
    const reason = this.fullness(flow) ?? this.slowness(flow);
    return reason === null ? null : this.refuse(flow, workspaceId, reason);
  }

  /** Takes a call in; a problem when there is no room for it. */
  enter(workspaceId: string, bytes: number, inTurn: boolean): Problem | null {
    const flow = this.flowOf(workspaceId);
    const isTooMuch = this.bytes + bytes > this.options.bytesInFlightMax;
    const reason = this.fullness(flow) ?? (isTooMuch ? 'bytes' : null);
    if (reason !== null) return this.refuse(flow, workspaceId, reason);
    this.bytes += bytes;
    for (const one of [flow, this.all]) {
      one.inFlight += 1;
      if (inTurn) one.inTurn += 1;
      if (inTurn && one.inTurn === FEW) one.lastDoneAt = performance.now();
    }
    return null;
  }

  /** Lets a call go that was taken in. */
  leave(workspaceId: string, bytes: number, inTurn: boolean): void {
    this.bytes -= bytes;
    const now = performance.now();
    for (const one of [this.flowOf(workspaceId), this.all]) {
      one.inFlight -= 1;
      if (!inTurn) continue;
      one.inTurn -= 1;
      one.done += 1;
      one.lastDoneAt = now;
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private fullness(flow: Flow): RefusalReason | null {
    const room = this.options.inFlightMax - this.all.inFlight;
    if (room <= 0) return 'in_flight';
    return flow.inFlight >= room * ROOM_SHARE ? 'share' : null;
  }

  private slowness(flow: Flow): RefusalReason | null {
    if (flow.inTurn === 0) return null;
    const { maxWaitMs } = this.options;
    const isSilent = this.silenceOf(flow) > maxWaitMs * PATIENCE;
    if (flow.inTurn >= FEW && this.isTooSlow(flow)) return isSilent ? 'silence' : 'wait';
    if (this.all.inTurn < FEW || !this.isTooSlow(this.all)) return null;
    const together = ((this.all.doneRate ?? 0) * maxWaitMs) / 1_000;
    return flow.inTurn >= together / this.flows.size ? 'crowd' : null;
  }

  private isTooSlow(flow: Flow): boolean {
    const { maxWaitMs } = this.options;
    const patientMs = maxWaitMs * PATIENCE;
    const silenceMs = this.silenceOf(flow);
    if (silenceMs > patientMs) return true;
    if (flow.doneRate === null) return false;
    const waitMs = (flow.inTurn / flow.doneRate) * 1_000;
    if (waitMs > patientMs) return true;
    // As long as a worker's restart takes, there is no telling how fast calls will get done.
    return silenceMs <= maxWaitMs / 2 && waitMs > maxWaitMs && flow.offeredRate > flow.doneRate * SURGE + FEW;
  }

  private silenceOf(flow: Flow): number {
    return performance.now() - flow.lastDoneAt;
  }

  private refuse(flow: Flow, workspaceId: string, reason: RefusalReason): Problem {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    if (flow.refused === 0 && !flow.wasRefused) this.refusing += 1;
    flow.refused += 1;
    this.note(workspaceId, reason, flow);
    const isOwn = (reason === 'wait' || reason === 'share') && this.flows.size > this.refusing;
    return new Problem(isOwn ? 'rate_limited' : 'overloaded', {
      detail: isOwn
        ? 'The workspace has more calls in flight than can be done in time.'
        : 'More calls are in flight than can be done in time.',
      headers: { 'retry-after': String(retryAfter(flow)) },
    });
  }

  private note(workspaceId: string, reason: RefusalReason, { inFlight, doneRate }: Flow): void {
    const now = performance.now();
    if (this.surge === null) {
      this.surge = { since: now, last: now, refused: 0 };
      const perSecond = doneRate === null ? null : Math.round(doneRate);
      this.options.log.warn({ workspaceId, reason, inFlight, perSecond }, 'calls are refused');
    }
    this.surge.last = now;
    this.surge.refused += 1;
  }

  private tick(): void {
    const now = performance.now();
    const seconds = (now - this.tickedAt) / 1_000;
    this.tickedAt = now;
    this.refusing = 0;
    smooth(this.all, seconds);
    for (const [workspaceId, flow] of this.flows) {
      if (flow.refused > 0) this.refusing += 1;
      if (flow.inFlight === 0 && flow.offered === 0 && flow.refused === 0) this.flows.delete(workspaceId);
      else smooth(flow, seconds);
      flow.wasRefused = flow.refused > 0;
      flow.refused = 0;
    }
    if (this.surge === null || now - this.surge.last < CALM_MS) return;
    const { refused, since, last } = this.surge;
    this.surge = null;
    this.options.log.info({ refused, forMs: Math.round(last - since) }, 'calls are taken again');
  }

  private flowOf(workspaceId: string): Flow {
    const known = this.flows.get(workspaceId);
    if (known !== undefined) return known;
    const flow = aFlow();
    this.flows.set(workspaceId, flow);
    return flow;
  }
}

function aFlow(): Flow {
  return {
    inFlight: 0,
    inTurn: 0,
    offered: 0,
    done: 0,
    offeredRate: 0,
    doneRate: null,
    idle: 0,
    isMeasured: false,
    lastDoneAt: performance.now(),
    refused: 0,
    wasRefused: false,
  };
}

// Rates count only where there was always something to do: whoever asks for little gets little done. Nor does it count how many
// come at first, when callers who wait for their answers all begin at once. What gets done many at once was being done all the
// time since the last of it.
function smooth(flow: Flow, seconds: number): void {
  flow.idle += seconds;
  if (flow.inTurn < FEW) {
    flow.doneRate = null;
    flow.isMeasured = false;
  } else if (flow.done > 0) {
    // Both over the same time: callers who wait for their answers come again when many are answered.
    const [offered, done] = [flow.offered / flow.idle, flow.done / flow.idle];
    if (flow.doneRate !== null) {
      flow.offeredRate = blend(flow.offeredRate, offered, flow.idle);
      flow.doneRate = blend(flow.doneRate, done, flow.idle);
    } else if (flow.isMeasured) {
      // One look says little of how much comes.
      flow.offeredRate = done;
      flow.doneRate = done;
    }
    flow.isMeasured = true;
  }
  if (flow.isMeasured && flow.done === 0) return;
  flow.idle = 0;
  flow.offered = 0;
  flow.done = 0;
}

function blend(before: number, now: number, seconds: number): number {
  return before + (1 - (1 - SMOOTHING) ** (seconds * 10)) * (now - before);
}

// Those who are refused come back over as long a time as it takes to do what they have offered.
function retryAfter({ offeredRate, doneRate }: Flow): number {
  const times = doneRate === null || doneRate < 1 ? 1 : offeredRate / doneRate;
  return 1 + Math.floor(Math.random() * Math.min(RETRY_AFTER_MAX, 2 + 2 * times));
}
