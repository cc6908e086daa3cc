import type { GroupResult } from '../load/load-plan.ts';
import type { Finding } from '../report/finding.ts';
import type { ScenarioReport } from '../report/report.ts';
import { DAY_SECONDS, FULL_PACE, HOLD_MS, LAYERS, SLOW_MS, workAt } from './day-plan.ts';
import type { Change } from './worker-crew.ts';

const WITHIN_MIN = 0.99;
const COST_MAX = 1.2;
const AGAINST_MAX = 1;

/** How all stood at a moment. */
export interface Sample {
  atMs: number;
  oldestWaitMs: number;
  targetWaitMs: number;
  desiredWorkers: number;
  workers: number;
}

interface Day {
  groups: Record<string, GroupResult>;
  samples: Sample[];
  changes: Change[];
  /** ms of the run for each second of the day. */
  pace: number;
  othersBusy: number;
}

/** What a day has shown. */
export function reportDay({ groups, samples, changes, pace, othersBusy }: Day): ScenarioReport {
  const isWithin = ({ oldestWaitMs, targetWaitMs }: Sample) => oldestWaitMs <= targetWaitMs;
  const within = samples.filter(isWithin).length / samples.length;
  const mean = samples.reduce((sum, { workers }) => sum + workers, 0) / samples.length;
  const peak = Math.max(...LAYERS.map(({ from }) => workAt(from)));
  // No fewer can do what comes at the peak.
  const fixed = Math.floor(peak) + 1;
  const against = changes.filter((change) => isAgainst(change.atMs / pace, change.by));
  const perMinute = against.length / ((DAY_SECONDS * pace) / 60_000);
  const phases = phasesOf().map(({ name, from, to }) => {
    const own = samples.filter(({ atMs }) => atMs >= from * pace && atMs < to * pace);
    const workers = own.map((sample) => sample.workers);
    return [
      name,
      `${from}–${to}`,
      workAt(from).toFixed(1),
      `${Math.min(...workers)}–${Math.max(...workers)}`,
      String(Math.max(...own.map(({ oldestWaitMs }) => oldestWaitMs))),
      `${((own.filter(isWithin).length / own.length) * 100).toFixed(1)} %`,
      String(changes.filter(({ atMs }) => atMs >= from * pace && atMs < to * pace).length),
    ];
  });
  const layers = Object.entries(groups).map(([name, group]) => [
    name,
    String(group.timeline.reduce((sum, { offered }) => sum + offered, 0)),
    String(group.answered),
    Object.entries(group.failures)
      .map(([status, count]) => `${count}× ${status}`)
      .join(', ') || '0',
    group.p50Ms.toFixed(0),
    group.p99Ms.toFixed(0),
    group.maxMs.toFixed(0),
  ]);
  // A day in a quarter of the time is over before the autoscaler's own times are.
  const isFull = pace === FULL_PACE;
  const findings: Finding[] = [
    {
      name: 'day.within',
      subject: 'day',
      text: `share of time in which the oldest wait is within ${samples[0]?.targetWaitMs} ms`,
      values: [within * 100],
      unit: '%',
      better: 'higher',
      ...(isFull && { limit: WITHIN_MIN * 100 }),
    },
    {
      name: 'day.callersWithin',
      subject: 'day',
      text: 'share of quarter seconds in which 99 of 100 callers had their answers by then, whatever their calls took',
      values: [callersWithin(groups, samples[0]?.targetWaitMs ?? 0) * 100],
      unit: '%',
      better: 'higher',
    },
    {
      name: 'day.cost/fixed',
      subject: 'day',
      text: `worker-seconds ÷ those of ${fixed} workers, the smallest fixed number`,
      values: [mean / fixed],
      unit: '×',
      better: 'lower',
      ...(isFull && { limit: COST_MAX }),
    },
    {
      name: 'day.against',
      subject: 'day',
      text: 'changes a minute against the load',
      values: [perMinute],
      unit: '×',
      better: 'lower',
      ...(isFull && { limit: AGAINST_MAX }),
    },
  ];
  return {
    about:
      `A call holds its worker for ${HOLD_MS} ms without CPU, a slow one for ${SLOW_MS} ms. The autoscaler of \`npm start\` reads \`/v1/scaling\` ` +
      'once a second and starts and drains worker processes, ten at most. The oldest wait is looked up twice a second. The smallest fixed number ' +
      'is that below which more comes at the peak than can be done. A change is against the load if a worker is started after the load has ' +
      'fallen, or drained after it has risen, since its last change but for the 15 s after that.',
    findings,
    tables: [
      {
        title: 'The day',
        columns: ['phase', 'seconds', 'workers’ time', 'workers', 'longest wait ms', 'within', 'changes'],
        rows: phases,
      },
      {
        title: 'Its calls',
        columns: ['layer', 'offered', 'answered 200', 'failures', 'p50 ms', 'p99 ms', 'max ms'],
        rows: layers,
      },
    ],
    charts: [
      {
        kind: 'lines',
        file: 'day.svg',
        title: 'A day: workers, and the workers’ time that is asked for',
        xLabel: 'seconds',
        series: [
          { label: 'workers', points: samples.map(({ atMs, workers }) => [atMs / pace, workers]) },
          { label: 'asked for', points: samples.map(({ atMs }) => [atMs / pace, workAt(atMs / pace)]) },
        ],
      },
    ],
    complaints: [],
    raw: { samples, changes, groups, othersBusy },
  };
}

/** In which part of the time 99 of 100 callers waited no longer than that from when their calls were due until their answers, a worker's batch included. */
function callersWithin(groups: Day['groups'], ms: number): number {
  const slowest = new Map<number, number>();
  for (const { timeline } of Object.values(groups))
    for (const { atMs, offered, p99Ms } of timeline)
      if (offered > 0) slowest.set(atMs, Math.max(slowest.get(atMs) ?? 0, p99Ms));
  return [...slowest.values()].filter((p99Ms) => p99Ms <= ms).length / slowest.size;
}

function phasesOf(): { name: string; from: number; to: number }[] {
  const moments = [...new Set(LAYERS.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return moments.slice(0, -1).map((from, index) => {
    const to = moments[index + 1] ?? DAY_SECONDS;
    const names = LAYERS.filter((layer) => layer.from <= from && layer.to >= to).map(({ name }) => name);
    return { name: names.at(-1) ?? '', from, to };
  });
}

const SETTLE_SECONDS = 15;

/** Whether a change goes the other way than the last change of the load, once that is some time ago. */
function isAgainst(second: number, by: Change['by']): boolean {
  const moments = LAYERS.flatMap(({ from, to }) => [from, to]).filter((moment) => moment <= second);
  const last = Math.max(0, ...moments);
  if (second - last < SETTLE_SECONDS) return false;
  const rose = workAt(last) - workAt(last - 1);
  return rose * by < 0;
}
