import { DESIGNS } from '../designs/design.ts';
import { alternate, type Measured, type Measurement, measure } from '../measure.ts';
import { budgetTable } from '../report/budget-table.ts';
import type { BarChart } from '../report/chart.ts';
import {
  comparisonFindings,
  comparisonTable,
  complainOfFailures,
  serviceFigures,
} from '../report/compare.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { BenchCustomer } from '../rig/seed-customer.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { readRequests, sendRequests } from './requests.ts';

const CONNECTIONS = [1, 512];

interface Calls {
  key: 'reads' | 'sends';
  method: string;
  requestsOf(customer: BenchCustomer): string[];
}

interface Case {
  connections: number;
  measured: Measured;
}

/** Reads by callers that each make their next call when they have the answer to the last one. */
export const steadyReads = steady({
  key: 'reads',
  method: 'messages.readMessageContents',
  requestsOf: readRequests,
});

/** Sends by such callers. */
export const steadySends = steady({
  key: 'sends',
  method: 'messages.sendMessage',
  requestsOf: sendRequests,
});

function steady(calls: Calls): Scenario {
  return {
    name: calls.key,
    summary: `${calls.method} from 1 and 512 connections that wait for their answers`,
    seconds: { quick: 11, full: 105 },
    async run(bench) {
      const rig = await bench.openRig({});
      const cases: Case[] = [];
      for (const connections of bench.options.connections ?? CONNECTIONS) {
        cases.push({
          connections,
          measured: await measureCase(bench, rig, calls, connections),
        });
      }
      return toReport(calls, cases);
    },
  };
}

async function measureCase(
  { options, say }: Bench,
  rig: Rig,
  { requestsOf }: Calls,
  connections: number,
): Promise<Measured> {
  const count = options.rounds ?? (options.quick ? 2 : 5);
  const measureMs = (options.seconds ?? (options.quick ? 0.5 : 2.5)) * 1_000;
  // The first round of all also warms the processes up.
  const group = {
    name: 'all',
    connections,
    requests: requestsOf(rig.customer),
  };
  for (const started of rig.designs) {
    say(`${connections} connections, warming up: ${started.design.label}`);
    await measure(rig, started, {
      groups: [group],
      warmUpMs: 0,
      measureMs: options.quick ? 300 : 2_000,
    });
  }
  return alternate(rig, { count, patient: !options.quick }, async (started, round) => {
    const measured = await measure(rig, started, {
      groups: [group],
      warmUpMs: measureMs / 4,
      measureMs,
    });
    const rate = `${Math.round(measured.callsPerSecond)} calls/s`;
    say(`${connections} connections, round ${round} of ${count}: ${started.design.label} ${rate}`);
    return measured;
  });
}

function toReport({ key, method }: Calls, cases: Case[]): ScenarioReport {
  const load = ({ connections }: Case) => (connections === 1 ? '1 connection' : `${connections} connections`);
  const title = (one: Case) => `${method}, ${load(one)}`;
  const subject = (one: Case) => `${key}, ${load(one)}`;
  return {
    about: 'Closed loop: every connection makes its next call when it has the answer to the last one.',
    findings: cases.flatMap((one) =>
      comparisonFindings(`${key}.${one.connections}`, subject(one), one.measured),
    ),
    service: cases.map((one) => serviceFigures(subject(one), one.measured)),
    tables: cases.flatMap((one) => [
      comparisonTable(title(one), one.measured),
      budgetTable(title(one), one.measured.service),
    ]),
    charts: [
      barsOf(key, `${method}: calls per second`, 'rate', cases, ({ callsPerSecond }) => callsPerSecond),
      barsOf(
        key,
        `${method}: 99th percentile of the time to the answer, ms`,
        'p99',
        cases,
        ({ p99Ms }) => p99Ms,
      ),
    ],
    complaints: cases.flatMap((one) => complainOfFailures(title(one), one.measured)),
    raw: cases,
  };
}

function barsOf(
  key: string,
  title: string,
  what: string,
  cases: Case[],
  value: (measurement: Measurement) => number,
): BarChart {
  return {
    kind: 'bars',
    file: `${key}-${what}.svg`,
    title,
    groups: cases.map(({ connections }) => `${connections} connections`),
    series: DESIGNS.filter(({ name }) => cases.some(({ measured }) => measured[name].length > 0)).map(
      ({ name, label }) => ({
        label,
        values: cases.map(({ measured }) => median(measured[name].map(value))),
      }),
    ),
  };
}
