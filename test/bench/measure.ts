import type { DesignName } from './designs/design.ts';
import type { GroupResult, LoadGroup, LoadPlan, LoadResult } from './load/load-plan.ts';
import type { Rig } from './rig/open-rig.ts';
import { type RedisStats, readRedisStats, resetRedisStats } from './rig/redis-stats.ts';
import type { StartedDesign } from './rig/start-design.ts';

/** What one round with one design came to. */
export interface Measurement {
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 200, by status. */
  failures: Record<string, number>;
  /** CPU-µs per answered call. */
  apiMicros: number;
  workerMicros: number;
  redisMicros: number;
  /** Per answered call, those inside scripts included. */
  redisCommands: number;
  /** Time in scripts per answered call, by Redis' own count. */
  scriptMicros: number;
  /** By command: how often and for how long Redis ran it, per answered call. */
  byCommand: Record<string, { calls: number; micros: number }>;
  /** How much of one core the load itself used, from 0 to 1. */
  loadBusy: number;
  /** How many cores anything else on the machine kept busy. */
  othersBusy: number;
  groups: Record<string, GroupResult>;
}

/** How long a round takes, and what it offers. */
export interface Round extends Pick<LoadPlan, 'warmUpMs' | 'measureMs'> {
  /** They use all API processes of the design unless they say which. */
  groups: (Omit<LoadGroup, 'ports'> & Partial<Pick<LoadGroup, 'ports'>>)[];
  timeline?: boolean;
  drainMs?: number;
}

/** The measurements of each design, round by round; none of a design that is left out. */
export type Measured = Record<DesignName, Measurement[]>;

const DRAIN_MS = 5_000;

const OTHERS_BUSY_MAX = 0.3;

// Callers that all wait for one another get their answers all at once: a round that ends before that has seen none.
const ANSWERS_MIN = 2;

// Rounds more than were asked for.
const PATIENCE = 2;

/** Offers load to one design, and measures it together with everything it makes others do. */
export async function measure(rig: Rig, started: StartedDesign, round: Round): Promise<Measurement> {
  let stats: RedisStats | undefined;
  const plan: LoadPlan = {
    groups: round.groups.map((group) => ({ ports: started.ports, ...group })),
    warmUpMs: round.warmUpMs,
    measureMs: round.measureMs,
    answersMin: ANSWERS_MIN * closedConnections(round),
    drainMs: round.drainMs ?? DRAIN_MS,
    pids: {
      api: started.apis.map(({ pid }) => pid),
      worker: started.workers.map(({ pid }) => pid),
      redis: [rig.redisPid],
    },
    timeline: round.timeline ?? false,
  };
  const result = await rig.load.run(plan, {
    onMeasuring: () => resetRedisStats(rig.redis),
    onMeasured: async () => {
      stats = await readRedisStats(rig.redis);
    },
  });
  return toMeasurement(result, stats);
}

/** How many rounds to count, and whether to go on for some more while the machine is busy with something else. */
export interface Rounds {
  count: number;
  patient: boolean;
}

/**
 * Measures every design in turn, for some rounds: A B C A B C, so that what else the machine does falls on all alike. Of the
 * rounds, those count in which it did least else.
 */
export async function alternate(
  rig: Rig,
  { count, patient }: Rounds,
  measureOne: (started: StartedDesign, round: number) => Promise<Measurement>,
): Promise<Measured> {
  const rounds: { measurements: Measurement[]; disturbance: number }[] = [];
  const undisturbed = () => rounds.filter(({ disturbance }) => disturbance <= OTHERS_BUSY_MAX).length;
  while (undisturbed() < count && rounds.length < (patient ? count + PATIENCE : count)) {
    const measurements: Measurement[] = [];
    for (const started of rig.designs) measurements.push(await measureOne(started, rounds.length + 1));
    rounds.push({ measurements, disturbance: Math.max(...measurements.map(({ othersBusy }) => othersBusy)) });
  }
  const counted = rounds.toSorted((a, b) => a.disturbance - b.disturbance).slice(0, count);
  const measured: Measured = { service: [], usual: [], noQueue: [], groupmq: [] };
  for (const [index, { design }] of rig.designs.entries())
    measured[design.name] = counted.map(({ measurements }) => measurements[index] as Measurement);
  return measured;
}

function closedConnections({ groups }: Round): number {
  const closed = groups.filter(({ ratePerSecond }) => ratePerSecond === undefined);
  return closed.reduce((sum, { connections }) => sum + connections, 0);
}

function toMeasurement(result: LoadResult, stats: RedisStats | undefined): Measurement {
  const groups = Object.values(result.groups);
  const answered = groups.reduce((sum, group) => sum + group.answered, 0);
  const perCall = (seconds = 0) => (answered === 0 ? Number.NaN : (seconds * 1e6) / answered);
  const failures: Record<string, number> = {};
  for (const group of groups) {
    for (const [status, count] of Object.entries(group.failures))
      failures[status] = (failures[status] ?? 0) + count;
    if (group.unanswered > 0) failures.unanswered = (failures.unanswered ?? 0) + group.unanswered;
  }
  const first = groups[0];
  return {
    callsPerSecond: answered / result.seconds,
    p50Ms: first?.p50Ms ?? Number.NaN,
    p99Ms: first?.p99Ms ?? Number.NaN,
    failures,
    apiMicros: perCall(result.cpuSeconds.api),
    workerMicros: perCall(result.cpuSeconds.worker),
    redisMicros: perCall(result.cpuSeconds.redis),
    redisCommands: (stats?.commands ?? 0) / answered,
    scriptMicros: perCall(stats?.scriptSeconds),
    byCommand: Object.fromEntries(
      Object.entries(stats?.byCommand ?? {}).map(([name, { calls, seconds }]) => [
        name,
        { calls: calls / answered, micros: perCall(seconds) },
      ]),
    ),
    loadBusy: (result.cpuSeconds.load ?? 0) / result.seconds,
    othersBusy: result.otherCpuSeconds / result.seconds,
    groups: result.groups,
  };
}
