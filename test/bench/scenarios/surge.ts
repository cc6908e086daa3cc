import type { DesignName } from '../designs/design.ts';
import { BUCKET_MS } from '../load/group-recorder.ts';
import type { GroupResult, TimelinePoint } from '../load/load-plan.ts';
import { measure } from '../measure.ts';
import { median } from '../report/statistics.ts';
import type { Rig, RigOptions } from '../rig/open-rig.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import { holdRequests, readRequests } from './requests.ts';

/** How long a call of a surge holds its worker: so long that this machine can offer many times what a worker can do. */
export const HOLD_MS = 2;

/** So many callers keep the workers busy without crowding them. */
export const CAPACITY_CONNECTIONS = 64;

const BEFORE_MS = 1_500;
const PROBES_PER_SECOND = 20;
const STARTED_MS = 500;

// How long a call and its answer may be on their way, before it is accepted and after it is done: that is no part of its deadline.
const ON_THE_WAY_MS = 500;

// The load and an API process each have this many files at most, everything included.
const CONNECTIONS_MAX = 12_000;

// As many probes as come until the deadline.
const PROBE_CONNECTIONS = 200;

/** What bounds the calls of a surge: their deadline, and how many the service takes at once. */
export interface SurgeBounds {
  deadlineMs: number;
  /** As many as the worker can do before their deadline, and not more; the usual design knows no such bound. */
  inFlightMax: number;
}

/** More calls than can be done, for a while. */
export interface Surge extends SurgeBounds {
  ratePerSecond: number;
  surgeMs: number;
  /** How long to look on after it. */
  afterMs: number;
}

/** What a design was offered, and what it made of it. */
export interface FoundSurge {
  name: DesignName;
  label: string;
  capacity: number;
  /** A short one before, to warm up; none in a quick run. */
  first: SurgeOutcome | undefined;
  surge: Surge;
  outcome: SurgeOutcome;
}

/** What became of a surge, and of the few calls that a probe made before, during and after it. */
export interface SurgeOutcome {
  offered: number;
  /** Answers 200 that came while the surge lasted, per second. */
  goodput: number;
  surge: GroupResult;
  probe: GroupResult;
  /** From the end of the surge until the probe's answers came as fast as before; infinite if they never did. */
  recoveryMs: number;
  /** When the last call of the surge succeeded, after its beginning. */
  lastSuccessMs: number;
  /** How many cores anything else kept busy, the machine's host included. */
  othersBusy: number;
}

/** The bounds of a surge in a run that is quick or not. */
export function surgeBounds(quick: boolean): SurgeBounds {
  return quick ? { deadlineMs: 2_000, inFlightMax: 600 } : { deadlineMs: 10_000, inFlightMax: 3_000 };
}

/** What a rig for surges needs: workers whose method holds them. */
export function surgeRig({ deadlineMs, inFlightMax }: SurgeBounds): Partial<RigOptions> {
  return holdingRig(HOLD_MS, {
    CALL_TIMEOUT_MS: String(deadlineMs),
    CALLS_IN_FLIGHT_MAX: String(inFlightMax),
  });
}

/** What a rig needs whose calls hold their worker for some ms. */
export function holdingRig(holdMs: number, env: Record<string, string> = {}): Partial<RigOptions> {
  return {
    env: { ...env, BENCH_HOLD_MS: String(holdMs) },
    nodeArgs: ['--import', './dist/bench/test/bench/preload/hold-worker.js'],
  };
}

/** How many calls a second a design can do when it is busy but not crowded. */
export async function measureCapacity(rig: Rig, started: StartedDesign, measureMs: number): Promise<number> {
  const group = {
    name: 'all',
    connections: CAPACITY_CONNECTIONS,
    requests: holdRequests(rig.customer),
  };
  return (await measure(rig, started, { groups: [group], warmUpMs: measureMs / 4, measureMs }))
    .callsPerSecond;
}

/** Offers a surge to a design. */
export async function offerSurge(rig: Rig, started: StartedDesign, surge: Surge): Promise<SurgeOutcome> {
  const surgeEndsAtMs = BEFORE_MS + surge.surgeMs;
  const { groups, othersBusy } = await measure(rig, started, {
    groups: [
      {
        name: 'surge',
        connections: Math.min(CONNECTIONS_MAX, Math.ceil((surge.ratePerSecond * surge.surgeMs) / 1_000)),
        requests: holdRequests(rig.customer),
        ratePerSecond: surge.ratePerSecond,
        deadlineMs: surge.deadlineMs + ON_THE_WAY_MS,
        startAfterMs: BEFORE_MS,
        stopAfterMs: surgeEndsAtMs,
      },
      {
        name: 'probe',
        connections: PROBE_CONNECTIONS,
        requests: readRequests(rig.customer),
        ratePerSecond: PROBES_PER_SECOND,
        deadlineMs: surge.deadlineMs + ON_THE_WAY_MS,
      },
    ],
    warmUpMs: STARTED_MS,
    measureMs: surgeEndsAtMs + surge.afterMs,
    drainMs: surge.deadlineMs + 1_000,
    timeline: true,
  });
  const outcome = toOutcome(groups.surge as GroupResult, groups.probe as GroupResult, surge);
  return { ...outcome, othersBusy };
}

function toOutcome(
  surge: GroupResult,
  probe: GroupResult,
  { surgeMs, afterMs }: Surge,
): Omit<SurgeOutcome, 'othersBusy'> {
  const endsAtMs = BEFORE_MS + surgeMs;
  const during = surge.timeline.filter(({ atMs }) => atMs >= BEFORE_MS && atMs < endsAtMs);
  const completed = during.reduce((sum, point) => sum + point.completed, 0);
  const lastSuccess = surge.timeline.findLast((point) => point.completed > 0)?.atMs ?? BEFORE_MS;
  return {
    offered: surge.timeline.reduce((sum, point) => sum + point.offered, 0),
    goodput: (completed / surgeMs) * 1_000,
    surge,
    probe,
    recoveryMs: findRecovery(probe, endsAtMs, afterMs),
    lastSuccessMs: lastSuccess - BEFORE_MS,
  };
}

function findRecovery({ timeline }: GroupResult, endsAtMs: number, afterMs: number): number {
  const normal = median(timeline.filter(({ atMs }) => atMs < BEFORE_MS).map(({ p50Ms }) => p50Ms));
  // Noise of a few ms is no sign of a backlog.
  const limit = Math.max(2 * normal, normal + 5);
  const after = timeline.filter(
    ({ atMs, offered }) => atMs >= endsAtMs && atMs + BUCKET_MS <= endsAtMs + afterMs && offered > 0,
  );
  const hasFailed = ({ succeeded, offered }: TimelinePoint) => succeeded < offered;
  const slow = after.flatMap((point, at) => (hasFailed(point) || point.p50Ms > limit ? [at] : []));
  const [last = -1, before = -1] = slow.toReversed();
  // Nor is one that comes by itself when all has long been well, if every call succeeds.
  const isNoise = last > before + 1 && last < after.length - 1 && !hasFailed(after[last] as TimelinePoint);
  const until = isNoise ? before : last;
  if (until === after.length - 1) return Number.POSITIVE_INFINITY;
  return (after[until + 1]?.atMs ?? endsAtMs) - endsAtMs;
}
