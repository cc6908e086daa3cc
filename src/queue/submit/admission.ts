import { every, type Repeated } from '../../every.ts';
import type { Logger } from '../../logger.ts';
import { Problem } from '../../problem.ts';
import { detailOf, REFUSAL_REASONS, type RefusalReason, retryAfterSeconds } from '../refusal.ts';
import {
  FEW,
  type Flow,
  forgetRates,
  letOut,
  MEASURED_MIN_S,
  newFlow,
  newOrganizationLoad,
  type OrganizationLoad,
  smooth,
  takeIn,
  timeConstant,
} from './call-flow.ts';
import { Usage } from './usage.ts';
import { NO_WORKER, type WorkerWatch } from './worker-watch.ts';

/** The workspace and the organization of a call. */
export interface CallOwner {
  workspaceId: string;
  organizationId: string;
}

export interface AdmissionOptions {
  /** How long a call may wait for its answer when calls arrive faster than they are done. */
  maxWaitMs: number;
  /** How long a call may take in any case. */
  timeoutMs: number;
  inFlightMax: number;
  bytesInFlightMax: number;
  log: Logger;
  /** The connection that calls are sent over. */
  queueConnection: { readonly status: string };
  workers: Pick<WorkerWatch, 'isMissing'>;
}

const TICK_MS = 50;
// Calls count as arriving faster than they are done if they arrive this many times as fast, and `FEW` a second more. Without this margin,
// callers who wait for their answers would be refused: they send about as many calls as are done.
const SURGE = 1.25;

// A workspace that sends no faster than its calls are done may wait this many times as long. So may all workspaces while nothing is
// answered.
const PATIENCE = 5;

// The part of its timeout that a call may spend waiting for its turn.
const IN_TIME = 0.8;

// In each tick, the bodies of this many refused calls are read, one per workspace: they may turn out to be async calls.
const GLANCES = 10;

// The factor of the dynamic threshold: an organization may hold this many times the free room, and a workspace this many times what its
// organization may still take. A single workspace gets up to three quarters of the room; many workspaces of one organization leave a
// seventh free.
const THRESHOLD_FACTOR = 6;

const CALM_MS = 1_000;

/**
 * Decides whether to accept a call when it arrives, so that no call waits in vain. By Little's law, a call waits as long as the calls in
 * flight of its workspace divided by the rate at which they were lately done. While Redis is away that rate says nothing, and refusals
 * answer `unavailable`.
 */
export class Admission {
  /** How many calls each workspace asks for. */
  readonly usage = new Usage();
  private readonly options: AdmissionOptions;
  private readonly flows = new Map<string, Flow>();
  private readonly organizations = new Map<string, OrganizationLoad>();
  private readonly all = newFlow(newOrganizationLoad(''));
  private readonly counts = new Map<RefusalReason, number>(REFUSAL_REASONS.map((reason) => [reason, 0]));
  private glances = 0;
  private refusing = 0;
  private surge: { since: number; last: number; refused: number } | null = null;
  private readonly ticking: Repeated;
  private tickedAt = performance.now();

  constructor(options: AdmissionOptions) {
    this.options = options;
    this.ticking = every(TICK_MS, () => this.tick());
  }

  /** How many calls are accepted and not yet answered. */
  get inFlight(): number {
    return this.all.inFlight;
  }

  /** How many calls have been refused, by reason. */
  get refusals(): ReadonlyMap<RefusalReason, number> {
    return this.counts;
  }

  /** Changes the limits. */
  limit(limits: Pick<AdmissionOptions, 'maxWaitMs' | 'inFlightMax' | 'bytesInFlightMax'>): void {
    Object.assign(this.options, limits);
  }

  /** Decides before any work is done for a call. Returns the problem if the call is refused. */
  check(owner: CallOwner): Problem | null {
    const flow = this.flowOf(owner);
    flow.offered += 1;
    this.all.offered += 1;
    const reason = this.fullness(flow) ?? this.slowness(flow);
    return reason === null ? null : this.refuse(flow, owner, reason);
  }

  /**
   * Counts a call as in flight, and with `isArrival` also as arrived; it is false if the arrival is counted elsewhere. Returns the problem
   * if there is no room for the call.
   */
  enter(owner: CallOwner, bytes: number, inTurn: boolean, isArrival = true): Problem | null {
    const flow = this.flowOf(owner);
    const isTooMuch = this.all.bytes + bytes > this.options.bytesInFlightMax;
    const reason = this.fullness(flow) ?? (isTooMuch ? 'bytes' : null);
    if (reason !== null) return this.refuse(flow, owner, reason);
    if (isArrival) this.usage.count(owner.workspaceId, false);
    takeIn(flow, bytes, inTurn);
    takeIn(this.all, bytes, inTurn);
    return null;
  }

  /** Ends a call that was in flight; `cost` is in usual calls. One that timed out does not count as done: others may be stalled too. */
  leave(workspaceId: string, bytes: number, inTurn: boolean, wasInTime = true, cost = 1): void {
    // A flow is never forgotten while it has calls in flight.
    const flow = this.flows.get(workspaceId) as Flow;
    if (wasInTime) this.usage.countServed(workspaceId, cost);
    letOut(flow, bytes);
    letOut(this.all, bytes);
    if (inTurn) this.endTurn(flow, wasInTime);
  }

  /** Ends the turn of a call that stays in flight: a worker has moved it to the slow lane. */
  leaveTurn(workspaceId: string): void {
    this.endTurn(this.flows.get(workspaceId) as Flow, true);
  }

  private endTurn(flow: Flow, wasInTime: boolean): void {
    const now = performance.now();
    this.endTurnOf(flow, wasInTime, now);
    this.endTurnOf(this.all, wasInTime, now);
  }

  private endTurnOf(flow: Flow, wasInTime: boolean, now: number): void {
    flow.inTurn -= 1;
    flow.organization.inTurn -= 1;
    if (wasInTime) {
      flow.done += 1;
      flow.lastDoneAt = now;
      flow.stalledUntil = 0;
    } else if (now - flow.lastDoneAt > this.patientMs) flow.stalledUntil = now + this.options.timeoutMs;
  }

  /** Whether the body of a refused call may be read nevertheless, as it may be an async call. True for a few calls. */
  glance(owner: CallOwner): boolean {
    const flow = this.flowOf(owner);
    if (flow.wasGlanced || this.glances >= GLANCES) return false;
    flow.wasGlanced = true;
    this.glances += 1;
    return true;
  }

  /**
   * Counts a call as in flight while it is recorded or held, and with `isArrival` also as arrived. Rejects with a `Problem` if there is no
   * room.
   */
  async holding<T>(owner: CallOwner, bytes: number, act: () => Promise<T>, isArrival: boolean): Promise<T> {
    const refusal = this.enter(owner, bytes, false, isArrival);
    if (refusal !== null) throw refusal;
    try {
      return await act();
    } finally {
      // If its arrival is counted elsewhere, so is its answer.
      this.leave(owner.workspaceId, bytes, false, isArrival);
    }
  }

  /** Counts a call that was refused because of a pause. */
  countPaused(workspaceId: string): void {
    this.usage.count(workspaceId, true);
    this.counts.set('paused', (this.counts.get('paused') ?? 0) + 1);
  }

  close(): void {
    void this.ticking.stop();
  }

  private get isRedisAway(): boolean {
    return this.options.queueConnection.status !== 'ready';
  }

  private get waitMs(): number {
    return Math.min(this.options.maxWaitMs, this.options.timeoutMs * IN_TIME);
  }

  private get patientMs(): number {
    return Math.min(this.options.maxWaitMs * PATIENCE, this.options.timeoutMs * IN_TIME);
  }

  private fullness(flow: Flow): RefusalReason | null {
    const room = this.options.inFlightMax - this.all.inFlight;
    if (room <= 0) return 'in_flight';
    const { organization } = flow;
    if (flow.inFlight + organization.inFlight >= room * THRESHOLD_FACTOR) return 'share';
    const bytesLeft = this.options.bytesInFlightMax - this.all.bytes;
    return flow.bytes + organization.bytes > bytesLeft * THRESHOLD_FACTOR ? 'share' : null;
  }

  private slowness(flow: Flow): RefusalReason | null {
    if (flow.inTurn === 0) return null;
    const now = performance.now();
    if (flow.inTurn >= FEW && this.isTooSlow(flow, now))
      return now - flow.lastDoneAt > this.patientMs ? 'silence' : 'wait';
    if (this.all.inTurn < FEW || !this.isTooSlow(this.all, now)) return null;
    const together = ((this.all.doneRate ?? 0) * this.waitMs) / 1_000;
    const { organization } = flow;
    const share = together / this.organizations.size;
    // An organization with many workspaces leaves no less to others.
    return organization.inTurn >= share && flow.inTurn >= share / organization.flows ? 'crowd' : null;
  }

  private isTooSlow(flow: Flow, now: number): boolean {
    const { waitMs: maxWaitMs, patientMs } = this;
    const silenceMs = now - flow.lastDoneAt;
    if (silenceMs > patientMs) return true;
    if (flow.doneRate === null || flow.measuredFor < MEASURED_MIN_S) return false;
    const waitMs = (flow.inTurn / flow.doneRate) * 1_000;
    if (waitMs > patientMs) return true;
    // While a worker restarts, the rate is out of date.
    return silenceMs <= maxWaitMs / 2 && waitMs > maxWaitMs && flow.offeredRate > flow.doneRate * SURGE + FEW;
  }

  private refuse(flow: Flow, { workspaceId }: CallOwner, reason: RefusalReason): Problem {
    this.usage.count(workspaceId, true);
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    if (flow.refused === 0 && !flow.wasRefused) this.refusing += 1;
    flow.refused += 1;
    this.note(workspaceId, reason, flow);
    if (this.isRedisAway) return new Problem('unavailable', { headers: { 'retry-after': '1' } });
    const isOwn = (reason === 'wait' || reason === 'share') && this.flows.size > this.refusing;
    return new Problem(isOwn ? 'rate_limited' : 'overloaded', {
      detail: this.options.workers.isMissing ? NO_WORKER : detailOf(reason, isOwn),
      headers: { 'retry-after': String(retryAfterSeconds(flow)) },
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
    this.glances = 0;
    const isAway = this.isRedisAway;
    const tau = timeConstant(this.waitMs);
    const measure = (flow: Flow) => (isAway ? forgetRates(flow) : smooth(flow, seconds, tau));
    measure(this.all);
    for (const [workspaceId, flow] of this.flows) {
      if (flow.refused > 0) this.refusing += 1;
      if (flow.inFlight === 0 && flow.offered === 0 && flow.refused === 0) this.forget(workspaceId, flow);
      else measure(flow);
      flow.wasRefused = flow.refused > 0;
      flow.refused = 0;
      flow.wasGlanced = false;
    }
    if (this.surge === null || now - this.surge.last < CALM_MS) return;
    const { refused, since, last } = this.surge;
    this.surge = null;
    this.options.log.info({ refused, forMs: Math.round(last - since) }, 'calls are taken again');
  }

  private flowOf({ workspaceId, organizationId }: CallOwner): Flow {
    const known = this.flows.get(workspaceId);
    if (known !== undefined) return known;
    const holding = this.organizations.get(organizationId) ?? newOrganizationLoad(organizationId);
    holding.flows += 1;
    this.organizations.set(organizationId, holding);
    const flow = newFlow(holding);
    this.flows.set(workspaceId, flow);
    return flow;
  }

  private forget(workspaceId: string, { organization }: Flow): void {
    this.flows.delete(workspaceId);
    organization.flows -= 1;
    if (organization.flows === 0) this.organizations.delete(organization.organizationId);
  }
}
