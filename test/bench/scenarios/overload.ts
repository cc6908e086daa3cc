import { DESIGNS, type DesignName } from '../designs/design.ts';
import type { ScenarioReport } from '../report/report.ts';
import type { Scenario } from '../scenario.ts';
import {
  BURN_MS,
  CAPACITY_CONNECTIONS,
  measureCapacity,
  offerSurge,
  SURGE_RIG,
  type SurgeOutcome,
} from './surge.ts';

const TIMES_CAPACITY = 5;
const AFTER_MS = 15_000;
const DEADLINE_MS = 30_000;
const REFUSAL_MS = 50;

interface Found extends SurgeOutcome {
  name: DesignName;
  label: string;
  capacity: number;
}

/** Five times what the workers can do, for a minute. */
export const overload: Scenario = {
  name: 'overload',
  summary: `${TIMES_CAPACITY} times the capacity for 60 s, with a method of ${BURN_MS} ms: goodput, refusals, recovery`,
  quick: false,
  async run({ options, say, openRig }) {
    const rig = await openRig({
      ...SURGE_RIG,
      designs: options.designs.filter((name) => name !== 'noQueue'),
    });
    const found: Found[] = [];
    for (const started of rig.designs) {
      const { name, label } = started.design;
      say(`${label}, measuring its capacity`);
      const capacity = await measureCapacity(rig, started, 4_000);
      const surgeMs = (options.seconds ?? (options.quick ? 15 : 60)) * 1_000;
      say(`${label}, ${Math.round(TIMES_CAPACITY * capacity)} calls/s for ${surgeMs / 1_000} s`);
      const ratePerSecond = TIMES_CAPACITY * capacity;
      const outcome = await offerSurge(rig, started, {
        ratePerSecond,
        surgeMs,
        afterMs: AFTER_MS,
      });
      found.push({ name, label, capacity, ...outcome });
    }
    return toReport(found);
  },
};

function toReport(found: Found[]): ScenarioReport {
  const ratios: Record<string, number> = {};
  const service = found.find(({ name }) => name === 'service');
  if (service) {
    ratios['overload.goodput/capacity'] = service.goodput / service.capacity;
    ratios['overload.refusedMaxMs'] = service.surge.refusedMaxMs;
    ratios['overload.recoveryMs'] = service.recoveryMs;
  }
  return {
    about:
      `Open loop: calls come at ${TIMES_CAPACITY} times the rate that ${CAPACITY_CONNECTIONS} waiting connections get done, whatever comes back. ` +
      `A call uses ${BURN_MS} ms of CPU in its method. Times count from the moment a call was due.`,
    tables: [
      {
        title: `${TIMES_CAPACITY} times the capacity`,
        columns: [
          '',
          'capacity/s',
          'goodput/s',
          'goodput ÷ capacity',
          'p50 ms',
          'p99 ms',
          'max ms',
          'refused',
          'refusal p99 ms',
          'refusal max ms',
          'other failures',
          'recovery ms',
        ],
        rows: found.map(toRow),
      },
    ],
    charts: found.map(({ name, label, surge }) => ({
      kind: 'lines',
      file: `overload-${name}.svg`,
      title: `${label} at ${TIMES_CAPACITY} times its capacity: calls per second`,
      xLabel: 'seconds',
      series: (['offered', 'completed'] as const).map((what) => ({
        label: what === 'offered' ? 'offered' : 'answered with 200',
        points: surge.timeline.map((point): [number, number] => [point.atMs / 1_000, point[what] * 4]),
      })),
    })),
    ratios,
    complaints: service ? complain(service) : [],
    raw: DESIGNS.map(({ name }) => found.find((one) => one.name === name)),
  };
}

function toRow({ label, capacity, goodput, surge, recoveryMs }: Found): string[] {
  const { p50Ms, p99Ms, maxMs, failures, refusedP99Ms, refusedMaxMs, unanswered } = surge;
  const { 503: unavailable = 0, 429: limited = 0, ...others } = failures;
  const rest = Object.entries({
    ...others,
    ...(unanswered > 0 ? { unanswered } : {}),
  });
  return [
    label,
    capacity.toFixed(0),
    goodput.toFixed(0),
    (goodput / capacity).toFixed(2),
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
    maxMs.toFixed(0),
    String(unavailable + limited),
    refusedP99Ms.toFixed(0),
    refusedMaxMs.toFixed(0),
    rest.map(([status, count]) => `${count}× ${status}`).join(', ') || '0',
    recoveryMs.toFixed(0),
  ];
}

function complain({ surge }: Found): string[] {
  const complaints: string[] = [];
  const late = surge.maxMs - DEADLINE_MS;
  if (late > 0) complaints.push(`overload: a call was answered ${late.toFixed(0)} ms after its deadline`);
  if (surge.unanswered > 0) complaints.push(`overload: ${surge.unanswered} calls got no answer`);
  if (surge.refusedMaxMs > REFUSAL_MS)
    complaints.push(`overload: a call was refused only after ${surge.refusedMaxMs.toFixed(0)} ms`);
  return complaints;
}
