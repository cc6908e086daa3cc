import { desiredWorkers } from './desired-workers.ts';
import type { ApiFigures, Member, WorkerFigures, WorkspaceUsage } from './figures.ts';
import { MISSING_MS } from './fleet.ts';
import { quantileMs } from './recent-durations.ts';

/** The state of a lane's queues. */
export interface LaneWait {
  lane: 'shared' | 'slow' | 'lone' | 'async';
  waiting: number;
  oldestWaitMs: number;
  taken: number;
}

/** A worker as `GET /v1/scaling` shows it. */
export interface WorkerReport
  extends Omit<WorkerFigures, 'kind' | 'isDraining' | 'startedAt' | 'dueRate' | 'oldestWaitMs'> {
  id: string;
  state: 'running' | 'draining' | 'missing';
  startedAt: string;
  lastHeardAt: string;
}

/** The figures that decide how many workers to run. */
export interface ScalingReport {
  at: string;
  targetWaitMs: number;
  desiredWorkers: number;
  workers: { running: number; draining: number; missing: number; byVersion: Record<string, number> };
  busyShare: number;
  arrivalRate: number;
  serviceRate: number;
  outcomes: Record<string, number>;
  refusals: Record<string, number>;
  latency: { p50Ms: number | null; p99Ms: number | null };
  oldestWaitMs: number;
  lanes: Omit<LaneWait, 'taken'>[];
  heaviestWorkspaces: (Required<WorkspaceUsage> & { share: number })[];
  workerList: WorkerReport[];
}

const SHOWN_MS = 10_000;

/** How many workspaces with the highest rates are shown. */
export const HEAVIEST = 10;

const WORKERS_SHOWN_MAX = 1_000;

/** Combines the figures of the processes and the state of the queues. */
export function scalingReport(
  { now, members }: { now: number; members: Member[] },
  lanes: LaneWait[],
  { targetWaitMs, slowPerWorker }: { targetWaitMs: number; slowPerWorker: number },
): ScalingReport {
  const heard = members
    .filter(({ heardAt }) => now - heardAt <= SHOWN_MS)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const isPresent = ({ heardAt }: Member) => now - heardAt <= MISSING_MS;
  const workers = heard.filter((member): member is Member<WorkerFigures> => member.figures.kind === 'worker');
  const apis = heard
    .filter(isPresent)
    .flatMap(({ figures }) => (figures.kind === 'api' ? [figures] : ([] as ApiFigures[])));
  const present = workers.filter(isPresent);
  const running = present.filter(({ figures }) => !figures.isDraining);
  const waiting = sum(apis, (api) => api.waiting);
  const waits = [...apis, ...present.map(({ figures }) => figures)].map(
    ({ oldestWaitMs = 0 }) => oldestWaitMs,
  );
  const all = lanes.map(({ taken: _, ...lane }) =>
    lane.lane === 'shared'
      ? {
          ...lane,
          waiting: lane.waiting + waiting,
          oldestWaitMs: Math.max(lane.oldestWaitMs, ...waits),
        }
      : lane,
  );
  const slowLane = lanes.find(({ lane }) => lane === 'slow');
  const dueRate = sum(present, ({ figures }) => figures.dueRate ?? 0);
  const arrivalRate = dueRate + sum(apis, (api) => api.arrivalRate);
  const serviceRate = sum(apis, (api) => api.serviceRate);
  const busy = sum(present, ({ figures }) => figures.busyShare);
  const demand = {
    workers: running.length,
    busy,
    arrivalRate: arrivalRate - sum(apis, (api) => api.ownRefusalRate ?? 0),
    doneRate: sum(present, ({ figures }) => figures.callsPerSecond),
    waiting,
    slowPerWorker,
    slow: (slowLane?.waiting ?? 0) + (slowLane?.taken ?? 0),
  };
  const durations = apis.map(({ durations = [] }) => durations);
  const forCallers = all.filter(({ lane }) => lane !== 'async');
  return {
    at: new Date(now).toISOString(),
    targetWaitMs,
    desiredWorkers: desiredWorkers(demand, targetWaitMs),
    workers: {
      running: running.length,
      draining: present.length - running.length,
      missing: workers.length - present.length,
      byVersion: countBy(present, ({ figures }) => figures.version),
    },
    busyShare: present.length === 0 ? 0 : round(busy / present.length),
    arrivalRate: round(arrivalRate),
    serviceRate: round(serviceRate),
    outcomes: sumOf(apis.map(({ outcomes = {} }) => outcomes)),
    refusals: sumOf(apis.map(({ refusals = {} }) => refusals)),
    latency: { p50Ms: quantileMs(durations, 0.5), p99Ms: quantileMs(durations, 0.99) },
    oldestWaitMs: Math.max(0, ...forCallers.map(({ oldestWaitMs }) => oldestWaitMs)),
    lanes: all,
    heaviestWorkspaces: heaviest(apis, arrivalRate),
    workerList: workers.slice(0, WORKERS_SHOWN_MAX).map((worker) => {
      const { kind: _, isDraining, startedAt, dueRate: __, oldestWaitMs: ___, ...figures } = worker.figures;
      return {
        id: worker.name,
        ...figures,
        state: !isPresent(worker) ? 'missing' : isDraining ? 'draining' : 'running',
        startedAt: new Date(startedAt).toISOString(),
        lastHeardAt: new Date(worker.heardAt).toISOString(),
      };
    }),
  };
}

function heaviest(apis: ApiFigures[], arrivalRate: number): ScalingReport['heaviestWorkspaces'] {
  const found = new Map<string, Required<WorkspaceUsage>>();
  for (const use of apis.flatMap(({ workspaces }) => workspaces)) {
    const known = found.get(use.workspaceId);
    found.set(use.workspaceId, {
      workspaceId: use.workspaceId,
      callsPerSecond: round(use.callsPerSecond + (known?.callsPerSecond ?? 0)),
      refusedPerSecond: round(use.refusedPerSecond + (known?.refusedPerSecond ?? 0)),
      costPerSecond: round((use.costPerSecond ?? 0) + (known?.costPerSecond ?? 0)),
      waiting: (use.waiting ?? 0) + (known?.waiting ?? 0),
    });
  }
  return [...found.values()]
    .sort((a, b) => heavinessOf(b) - heavinessOf(a))
    .slice(0, HEAVIEST)
    .map((use) => ({
      ...use,
      share: arrivalRate === 0 ? 0 : Math.min(1, round(use.callsPerSecond / arrivalRate)),
    }));
}

// As API processes choose them: with the most calls, or the calls that cost most.
function heavinessOf({ callsPerSecond, costPerSecond }: Required<WorkspaceUsage>): number {
  return Math.max(callsPerSecond, costPerSecond);
}

function countBy<T>(items: T[], name: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[name(item)] = (counts[name(item)] ?? 0) + 1;
  return counts;
}

function sumOf(published: Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, value] of published.flatMap((one) => Object.entries(one)))
    sums[name] = round((sums[name] ?? 0) + value);
  return sums;
}

function sum<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
