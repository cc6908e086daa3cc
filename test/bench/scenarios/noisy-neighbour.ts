import { DESIGNS } from '../designs/design.ts';
import { alternate, type Measured, type Measurement, measure } from '../measure.ts';
import { complainOfFailures } from '../report/compare.ts';
import type { Finding } from '../report/finding.ts';
import type { ReportTable, ScenarioReport } from '../report/report.ts';
import { median, ratiosOf } from '../report/statistics.ts';
import { seedCustomer } from '../rig/seed-customer.ts';
import type { Scenario } from '../scenario.ts';
import { readRequests } from './requests.ts';

const LOUD_CONNECTIONS = 1_000;
const QUIET_CONNECTIONS = 8;

type Value = (measurement: Measurement) => number;

const VALUES: Record<string, { value: Value; better: Finding['better'] }> = {
  'quiet p50 ms': { value: ({ groups }) => groups.quiet?.p50Ms ?? Number.NaN, better: 'lower' },
  'quiet p99 ms': { value: ({ groups }) => groups.quiet?.p99Ms ?? Number.NaN, better: 'lower' },
  'loud p50 ms': { value: ({ groups }) => groups.loud?.p50Ms ?? Number.NaN, better: 'lower' },
  'loud p99 ms': { value: ({ groups }) => groups.loud?.p99Ms ?? Number.NaN, better: 'lower' },
  'calls/s': { value: ({ callsPerSecond }) => callsPerSecond, better: 'higher' },
};

/** What a customer with few calls feels of one with very many. */
export const noisyNeighbour: Scenario = {
  name: 'noisy-neighbour',
  summary: 'what 8 connections of one workspace feel of 1,000 of another',
  seconds: { quick: 9, full: 60 },
  async run({ options, say, openRig }) {
    const rig = await openRig({ designs: options.designs.filter((name) => name !== 'noQueue') });
    const quiet = await seedCustomer(rig.management, 'quiet');
    const groups = [
      {
        name: 'loud',
        connections: LOUD_CONNECTIONS,
        requests: readRequests(rig.customer),
      },
      {
        name: 'quiet',
        connections: QUIET_CONNECTIONS,
        requests: readRequests(quiet),
      },
    ];
    const count = options.rounds ?? (options.quick ? 2 : 5);
    const measureMs = (options.seconds ?? (options.quick ? 1 : 3)) * 1_000;
    const measured = await alternate(rig, { count, patient: !options.quick }, async (started, round) => {
      say(`round ${round} of ${count}: ${started.design.label}`);
      return measure(rig, started, {
        groups,
        warmUpMs: measureMs / 2,
        measureMs,
      });
    });
    return toReport(measured);
  },
};

function toReport(measured: Measured): ScenarioReport {
  const title = `${LOUD_CONNECTIONS} connections in one workspace, ${QUIET_CONNECTIONS} in another`;
  const ratio = (value: Value) => ratiosOf(measured.service.map(value), measured.usual.map(value));
  const findings = Object.entries(VALUES).map(
    ([name, { value, better }]): Finding => ({
      name: `noisy-neighbour.${name}/usual`,
      subject: 'noisy-neighbour',
      text: `${name} ÷ usual design`,
      values: ratio(value),
      unit: '×',
      better,
    }),
  );
  const table: ReportTable = {
    title,
    columns: ['', ...Object.keys(VALUES)],
    rows: [
      [
        'Switchboard ÷ usual design',
        ...Object.values(VALUES).map(({ value }) => `${median(ratio(value)).toFixed(2)}×`),
      ],
      ...DESIGNS.filter(({ name }) => measured[name].length > 0).map(({ name, label }) => [
        label,
        ...Object.values(VALUES).map(({ value }) => median(measured[name].map(value)).toFixed(1)),
      ]),
    ],
  };
  return {
    about: `Both workspaces read, in a closed loop. Fair means: the quiet one hardly notices the loud one.`,
    tables: [table],
    charts: [
      {
        kind: 'bars',
        file: 'noisy-neighbour.svg',
        title: `Times of ${QUIET_CONNECTIONS} connections beside ${LOUD_CONNECTIONS} of another workspace, ms`,
        groups: ['p50', 'p99'],
        series: DESIGNS.filter(({ name }) => measured[name].length > 0).map(({ name, label }) => ({
          label,
          values: ['quiet p50 ms', 'quiet p99 ms'].map((key) =>
            median(measured[name].map((one) => VALUES[key]?.value(one) ?? Number.NaN)),
          ),
        })),
      },
    ],
    findings,
    complaints: complainOfFailures(title, measured),
    raw: measured,
  };
}
