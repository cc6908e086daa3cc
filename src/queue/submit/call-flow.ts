// The time constant of rates, as a part of the longest wait allowed.
const AVERAGED = 0.6;
const AVERAGED_MIN_MS = 1_000;
const AVERAGED_MAX_MS = 4_000;

/** With fewer calls in flight, a rate says nothing: calls are accepted however slowly they are done. */
export const FEW = 8;

/** How long calls have to be measured before a rate counts. After a stand-still, the first moments say that little is done. */
export const MEASURED_MIN_S = 0.1;

/** The calls in flight of an organization, and their bytes. */
export interface OrganizationLoad {
  readonly organizationId: string;
  inFlight: number;
  bytes: number;
  /** The calls in flight that wait only for their turn. */
  inTurn: number;
  /** How many of its workspaces have a `Flow`. */
  flows: number;
}

/** The calls of one workspace, or of all: how many arrive, are in flight and are done. */
export interface Flow {
  readonly organization: OrganizationLoad;
  inFlight: number;
  /** The bytes of the calls in flight. */
  bytes: number;
  /** The calls in flight that wait only for their turn. */
  inTurn: number;
  offered: number;
  done: number;
  offeredRate: number;
  /** Calls done per second, measured while there was always something to do; null if unknown. */
  doneRate: number | null;
  /** How long the rates have been measured, in seconds. */
  measuredFor: number;
  /** How long nothing has been done, in seconds; `offered` counts from then on. */
  idle: number;
  /** Whether it has been busy since a call was last done. */
  isMeasured: boolean;
  /** Whether calls have begun to end, for the first time, after a time in which none did. */
  isEnding: boolean;
  lastDoneAt: number;
  /** Until when its calls count as stalled: a call has timed out, and none has been answered since. */
  stalledUntil: number;
  refused: number;
  wasRefused: boolean;
  /** Whether the body of a refused call was read in this tick, as it might be an async call. */
  wasGlanced: boolean;
}

/** An organization without calls in flight. */
export function newOrganizationLoad(organizationId: string): OrganizationLoad {
  return { organizationId, inFlight: 0, bytes: 0, inTurn: 0, flows: 0 };
}

/** A flow without calls so far. */
export function newFlow(organization: OrganizationLoad): Flow {
  return {
    organization,
    inFlight: 0,
    bytes: 0,
    inTurn: 0,
    offered: 0,
    done: 0,
    offeredRate: 0,
    doneRate: null,
    measuredFor: 0,
    idle: 0,
    isMeasured: false,
    isEnding: false,
    lastDoneAt: performance.now(),
    stalledUntil: 0,
    refused: 0,
    wasRefused: false,
    wasGlanced: false,
  };
}

/** Counts a call as in flight. */
export function takeIn(flow: Flow, bytes: number, inTurn: boolean): void {
  addTo(flow, 1, bytes);
  addTo(flow.organization, 1, bytes);
  if (!inTurn) return;
  flow.inTurn += 1;
  flow.organization.inTurn += 1;
  if (flow.inTurn === FEW) beginToMeasure(flow);
}

/** Counts a call as no longer in flight. The end of its turn is counted apart. */
export function letOut(flow: Flow, bytes: number): void {
  addTo(flow, -1, -bytes);
  addTo(flow.organization, -1, -bytes);
}

function addTo(load: Pick<OrganizationLoad, 'inFlight' | 'bytes'>, calls: 1 | -1, bytes: number): void {
  load.inFlight += calls;
  load.bytes += bytes;
}

// Restarts the measurement of how fast calls are done, unless they are stalled.
function beginToMeasure(flow: Flow): void {
  const now = performance.now();
  if (now >= flow.stalledUntil) flow.lastDoneAt = now;
}

/** Resets the measurement, as if nothing had been in flight before. */
export function forgetRates(flow: Flow): void {
  flow.lastDoneAt = performance.now();
  flow.stalledUntil = 0;
  flow.doneRate = null;
  flow.isMeasured = false;
  flow.isEnding = false;
  flow.idle = 0;
  flow.offered = 0;
  flow.done = 0;
}

/**
 * The time constant of rates, in seconds, if calls may wait this long: a brief slowdown must not look like a long wait. But a worker that
 * is lost for good must be noticed within seconds, however long calls may wait.
 */
export function timeConstant(waitMs: number): number {
  return (AVERAGED * Math.min(AVERAGED_MAX_MS, Math.max(AVERAGED_MIN_MS, waitMs))) / 1_000;
}

/**
 * Updates the rates with the calls that arrived and were done in the last `seconds`. Only busy times count: a workspace that asks for
 * little has little done. The first burst does not count, as callers who wait for their answers all begin at once. If many calls end at
 * once, they count as done evenly since the last such end. The rates are exponential moving averages with a time constant of `tau` seconds.
 * The rate of calls done is at first a plain average: a slow moment must not count for long because it came first.
 */
export function smooth(flow: Flow, seconds: number, tau: number): void {
  flow.idle += seconds;
  if (flow.inTurn < FEW) {
    flow.doneRate = null;
    flow.isMeasured = false;
    flow.isEnding = false;
  } else if (flow.done > 0) {
    // At first, after a time in which nothing was done, a part of what ends at once would look like a low rate: the rest ends soon.
    flow.isEnding = !flow.isEnding && flow.isMeasured && flow.doneRate === null && flow.idle > seconds;
    if (flow.isEnding) return;
    // Both rates cover the same time: callers who wait for their answers call again just when many are answered.
    const offered = flow.offered / flow.idle;
    const done = flow.done / flow.idle;
    if (flow.doneRate !== null) {
      flow.measuredFor += flow.idle;
      const weight = 1 - Math.exp(-flow.idle / tau);
      flow.offeredRate += weight * (offered - flow.offeredRate);
      flow.doneRate += Math.max(weight, flow.idle / flow.measuredFor) * (done - flow.doneRate);
    } else if (flow.isMeasured) {
      // A single measurement says little about arrivals.
      flow.offeredRate = done;
      flow.doneRate = done;
      flow.measuredFor = flow.idle;
    }
    flow.isMeasured = true;
  }
  if (flow.isMeasured && flow.done === 0) return;
  flow.idle = 0;
  flow.offered = 0;
  flow.done = 0;
}
