import { type Measurement, measure } from '../measure.ts';
import type { Finding } from '../report/finding.ts';
import type { ReportTable, ScenarioReport } from '../report/report.ts';
import { median, spread } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import { type BenchCustomer, seedCustomer } from '../rig/seed-customer.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { holdRequests } from './requests.ts';
import { holdingRig } from './surge.ts';

const WEIGHTS = [3, 2, 1];
const WEIGHT_SUM = WEIGHTS.reduce((sum, weight) => sum + weight, 0);

// More than any share of what may be under way at once, so that each workspace always has calls that wait.
const CONNECTIONS = 512;

// So long that the worker is what they share, and not this machine's cores.
const HOLD_MS = 0.5;
const SHARE_MIN = 0.9;

const LAYOUTS = { together: 'all at one API process', apart: 'each at an API process of its own' } as const;

type Layout = keyof typeof LAYOUTS;

/** What three workspaces with different weights get of a worker that is asked for more than it can do. */
export const weights: Scenario = {
  name: 'weights',
  summary: `shares of three workspaces with weights ${WEIGHTS.join(':')}, at one API process and at three`,
  seconds: { quick: 8, full: 45 },
  async run(bench) {
    const rig = await bench.openRig({
      ...holdingRig(HOLD_MS),
      designs: ['service'],
      apis: WEIGHTS.length,
    });
    const customers: BenchCustomer[] = [];
    for (const weight of WEIGHTS) {
      const customer = await seedCustomer(rig.management, `weight ${weight}`, { voiceMessages: 0 });
      await rig.management.setWeight(customer.reader.workspaceId, weight);
      customers.push(customer);
    }
    const measured: Record<Layout, Measurement[]> = { together: [], apart: [] };
    const { options, say } = bench;
    const count = options.rounds ?? (options.quick ? 1 : 3);
    for (let round = 1; round <= count; round += 1) {
      for (const layout of ['together', 'apart'] as const) {
        say(`round ${round} of ${count}: ${LAYOUTS[layout]}`);
        measured[layout].push(await measureLayout(bench, rig, customers, layout));
      }
    }
    return toReport(measured);
  },
};

function measureLayout(
  { options }: Bench,
  rig: Rig,
  customers: BenchCustomer[],
  layout: Layout,
): Promise<Measurement> {
  const started = rig.designs[0] as StartedDesign;
  const measureMs = (options.seconds ?? (options.quick ? 1 : 4)) * 1_000;
  const groups = customers.map((customer, index) => ({
    name: String(index),
    connections: CONNECTIONS,
    requests: holdRequests(customer),
    ports: started.ports.slice(layout === 'together' ? 0 : index).slice(0, 1),
  }));
  return measure(rig, started, { groups, warmUpMs: options.quick ? 1_000 : 2_000, measureMs });
}

// What each workspace got, as a share of all, over what its weight says.
function sharesOf({ groups }: Measurement): number[] {
  const answered = WEIGHTS.map((_, index) => groups[index]?.answered ?? 0);
  const sum = answered.reduce((total, count) => total + count, 0);
  return WEIGHTS.map((weight, index) => (answered[index] ?? 0) / sum / (weight / WEIGHT_SUM));
}

function toReport(measured: Record<Layout, Measurement[]>): ScenarioReport {
  const layouts = ['together', 'apart'] as const;
  const findings = layouts.map(
    (layout): Finding => ({
      name: `weights.${layout}`,
      subject: `weights, ${LAYOUTS[layout]}`,
      text: 'smallest share ÷ due share',
      values: measured[layout].map((measurement) => Math.min(...sharesOf(measurement))),
      unit: '×',
      better: 'higher',
      limit: SHARE_MIN,
    }),
  );
  const tables = layouts.map((layout): ReportTable => {
    const measurements = measured[layout];
    return {
      title: `Weights ${WEIGHTS.join(':')}, ${LAYOUTS[layout]}`,
      columns: ['weight', 'calls/s', 'share ÷ due share', '±', 'p50 ms', 'p99 ms'],
      rows: WEIGHTS.map((weight, index) => {
        const of = (value: (measurement: Measurement) => number) => measurements.map(value);
        const shares = of((measurement) => sharesOf(measurement)[index] ?? Number.NaN);
        const rate = of(
          (measurement) =>
            ((sharesOf(measurement)[index] ?? 0) * weight * measurement.callsPerSecond) / WEIGHT_SUM,
        );
        return [
          String(weight),
          median(rate).toFixed(0),
          `${median(shares).toFixed(2)}×`,
          `${(spread(shares) * 100).toFixed(0)} %`,
          median(of(({ groups }) => groups[index]?.p50Ms ?? Number.NaN)).toFixed(0),
          median(of(({ groups }) => groups[index]?.p99Ms ?? Number.NaN)).toFixed(0),
        ];
      }),
    };
  });
  return {
    about:
      `Each of the three workspaces has ${CONNECTIONS} connections that wait for their answers, at one worker; a call holds it for ${HOLD_MS} ms ` +
      'without CPU. A workspace is due its weight over the sum of the weights.',
    findings,
    tables,
    charts: [],
    complaints: [],
    raw: measured,
  };
}
