// Of a tenth of a second.
const SMOOTHING = 0.15;

/** So few calls say nothing about how fast they get done, and are let in however slow that is. */
export const FEW = 8;

/** What the calls in flight of an organization come to. */
export interface Holding {
  readonly organizationId: string;
  inFlight: number;
  bytes: number;
  /** How many of its workspaces have a flow. */
  flows: number;
}

/** How much comes from someone, how much of it gets done, and how much lies between. */
export interface Flow {
  /** What its organization holds. */
  readonly organization: Holding;
  inFlight: number;
  /** Of the calls in flight. */
  bytes: number;
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
  /** Until when it counts as one whose calls were in vain: the time of one was over lately, and none has been answered since. */
  inVainUntil: number;
  refused: number;
  wasRefused: boolean;
  /** Whether a refused call was let in lately to be looked at. */
  wasGlanced: boolean;
}

/** What an organization holds that has no calls in flight. */
export function aHolding(organizationId: string): Holding {
  return { organizationId, inFlight: 0, bytes: 0, flows: 0 };
}

/** A flow of which nothing has come yet. */
export function aFlow(organization: Holding): Flow {
  return {
    organization,
    inFlight: 0,
    bytes: 0,
    inTurn: 0,
    offered: 0,
    done: 0,
    offeredRate: 0,
    doneRate: null,
    idle: 0,
    isMeasured: false,
    lastDoneAt: performance.now(),
    inVainUntil: 0,
    refused: 0,
    wasRefused: false,
    wasGlanced: false,
  };
}

/** Begins to measure anew how fast calls get done; where those before were in vain, this is no beginning. */
export function beginToMeasure(flow: Flow): void {
  const now = performance.now();
  if (now >= flow.inVainUntil) flow.lastDoneAt = now;
}

/**
 * Takes what came and got done in so many seconds into the rates. They count only where there was always something to do: a
 * workspace that asks for little gets little done. Nor does it count how many come at first, when callers who wait for their answers all begin at
 * once. What gets done many at once was being done all the time since the last of it.
 */
export function smooth(flow: Flow, seconds: number): void {
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
