import type { ScenarioReport } from '../report/report.ts';
import type { Scenario } from '../scenario.ts';
import { BURN_MS, measureCapacity, offerSurge, SURGE_RIG, type SurgeOutcome } from './surge.ts';

const TIMES_CAPACITY = 10;
const BURST_MS = 5_000;
const AFTER_MS = 30_000;

/** Ten times what the workers can do, for five seconds, and what it takes to get over it. */
export const burst: Scenario = {
  name: 'burst',
  summary: `${TIMES_CAPACITY} times the capacity for ${BURST_MS / 1_000} s, with a method of ${BURN_MS} ms`,
  quick: false,
  async run({ options, say, openRig }) {
    const rig = await openRig({
      ...SURGE_RIG,
      designs: options.designs.filter((name) => name !== 'noQueue'),
    });
    const rows: string[][] = [];
    const outcomes: Record<string, SurgeOutcome> = {};
    for (const started of rig.designs) {
      const { name, label } = started.design;
      say(`${label}, measuring its capacity`);
      const capacity = await measureCapacity(rig, started, 4_000);
      say(`${label}, ${Math.round(TIMES_CAPACITY * capacity)} calls/s for ${BURST_MS / 1_000} s`);
      const surge = {
        ratePerSecond: TIMES_CAPACITY * capacity,
        surgeMs: BURST_MS,
        afterMs: AFTER_MS,
      };
      const outcome = await offerSurge(rig, started, surge);
      outcomes[name] = outcome;
      rows.push(toRow(label, capacity, outcome));
    }
    return toReport(rows, outcomes);
  },
};

function toRow(label: string, capacity: number, outcome: SurgeOutcome): string[] {
  const { offered, surge, probe, lastSuccessMs, recoveryMs } = outcome;
  const refused = (surge.failures[503] ?? 0) + (surge.failures[429] ?? 0);
  const failed = offered - surge.answered - refused;
  return [
    label,
    capacity.toFixed(0),
    String(offered),
    `${((surge.answered / offered) * 100).toFixed(1)} %`,
    String(refused),
    String(failed),
    surge.p50Ms.toFixed(0),
    surge.p99Ms.toFixed(0),
    lastSuccessMs.toFixed(0),
    probe.p99Ms.toFixed(0),
    recoveryMs.toFixed(0),
  ];
}

function toReport(rows: string[][], outcomes: Record<string, SurgeOutcome>): ScenarioReport {
  return {
    about:
      `Open loop, ${BURN_MS} ms of CPU a call. A probe makes 20 reads a second of the same workspace all the while; ` +
      'recovery is the time from the end of the burst until they come as fast as before it.',
    tables: [
      {
        title: `${TIMES_CAPACITY} times the capacity for ${BURST_MS / 1_000} s`,
        columns: [
          '',
          'capacity/s',
          'offered',
          'answered 200',
          'refused',
          'failed',
          'p50 ms',
          'p99 ms',
          'all done after ms',
          'probe p99 ms',
          'recovery ms',
        ],
        rows,
      },
    ],
    charts: [],
    ratios: {},
    complaints: [],
    raw: outcomes,
  };
}
