import type { GroupResult } from '../load/load-plan.ts';
import { measure } from '../measure.ts';
import { median } from '../report/statistics.ts';
import type { Rig, RigOptions } from '../rig/open-rig.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import { burnRequests, readRequests } from './requests.ts';

/** CPU a call of a surge uses in its method: so much that the load process can offer many times what the workers can do. */
export const BURN_MS = 2;

/** So many callers keep the workers busy without crowding them. */
export const CAPACITY_CONNECTIONS = 64;

const BEFORE_MS = 3_000;
const PROBES_PER_SECOND = 20;
const DRAIN_MS = 35_000;

// The load and an API process each have this many files at most, everything included.
const CONNECTIONS_MAX = 12_000;

/** More calls than can be done, for a while. */
export interface Surge {
  ratePerSecond: number;
  surgeMs: number;
  /** How long to look on after it. */
  afterMs: number;
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
  surgeStartsAtMs: number;
}

/** What a rig for surges needs: workers, or where there is none the API process, whose method uses CPU. */
export const SURGE_RIG: Partial<RigOptions> = {
  env: { BENCH_BURN_MS: String(BURN_MS) },
  nodeArgs: ['--import', './dist/bench/test/bench/preload/burn-cpu.js'],
};

/** How many calls a second a design can do when it is busy but not crowded. */
export async function measureCapacity(rig: Rig, started: StartedDesign, measureMs: number): Promise<number> {
  const group = {
    name: 'all',
    connections: CAPACITY_CONNECTIONS,
    requests: burnRequests(rig.customer),
  };
  return (await measure(rig, started, { groups: [group], warmUpMs: 1_000, measureMs })).callsPerSecond;
}

/** Offers a surge to a design. */
export async function offerSurge(rig: Rig, started: StartedDesign, surge: Surge): Promise<SurgeOutcome> {
  const surgeEndsAtMs = BEFORE_MS + surge.surgeMs;
  const { groups } = await measure(rig, started, {
    groups: [
      {
        name: 'surge',
        connections: Math.min(CONNECTIONS_MAX, Math.ceil((surge.ratePerSecond * surge.surgeMs) / 1_000)),
        requests: burnRequests(rig.customer),
        ratePerSecond: surge.ratePerSecond,
        startAfterMs: BEFORE_MS,
        stopAfterMs: surgeEndsAtMs,
      },
      {
        name: 'probe',
        connections: 1_000,
        requests: readRequests(rig.customer),
        ratePerSecond: PROBES_PER_SECOND,
      },
    ],
    warmUpMs: 1_000,
    measureMs: surgeEndsAtMs + surge.afterMs,
    drainMs: DRAIN_MS,
    timeline: true,
  });
  return toOutcome(groups.surge as GroupResult, groups.probe as GroupResult, surge);
}

function toOutcome(surge: GroupResult, probe: GroupResult, { surgeMs }: Surge): SurgeOutcome {
  const endsAtMs = BEFORE_MS + surgeMs;
  const during = surge.timeline.filter(({ atMs }) => atMs >= BEFORE_MS && atMs < endsAtMs);
  const completed = during.reduce((sum, point) => sum + point.completed, 0);
  const lastSuccess = surge.timeline.findLast((point) => point.completed > 0)?.atMs ?? BEFORE_MS;
  return {
    offered: surge.timeline.reduce((sum, point) => sum + point.offered, 0),
    goodput: (completed / surgeMs) * 1_000,
    surge,
    probe,
    recoveryMs: findRecovery(probe, endsAtMs),
    lastSuccessMs: lastSuccess - BEFORE_MS,
    surgeStartsAtMs: BEFORE_MS,
  };
}

function findRecovery({ timeline }: GroupResult, endsAtMs: number): number {
  const normal = median(timeline.filter(({ atMs }) => atMs < BEFORE_MS).map(({ p50Ms }) => p50Ms));
  // Noise of a few ms is no sign of a backlog.
  const limit = Math.max(2 * normal, normal + 5);
  const after = timeline.filter(({ atMs, offered }) => atMs >= endsAtMs && offered > 0);
  const slow = after.findLastIndex((point) => point.succeeded < point.offered || point.p50Ms > limit);
  if (slow === after.length - 1) return Number.POSITIVE_INFINITY;
  return (after[slow + 1]?.atMs ?? endsAtMs) - endsAtMs;
}
