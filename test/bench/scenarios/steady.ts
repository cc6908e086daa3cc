import { DESIGNS, type DesignName } from '../designs/design.ts';
import { alternate, type Measurement, measure } from '../measure.ts';
import { comparisonTable, complainOfFailures, cpuAboveNoQueue, ratiosTo } from '../report/compare.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { readRequests, sendRequests } from './requests.ts';

const METHODS = [
  { key: 'reads', label: 'messages.readMessageContents', requestsOf: readRequests },
  { key: 'sends', label: 'messages.sendMessage', requestsOf: sendRequests },
] as const;

const CONNECTIONS = [1, 64, 512];

type Measured = Record<DesignName, Measurement[]>;

interface Case {
  method: (typeof METHODS)[number];
  connections: number;
  measured: Measured;
}

/** Callers that each make their next call when they have the answer to the last one. */
export const steady: Scenario = {
  name: 'steady',
  summary: 'reads and sends from 1, 64 and 512 connections that wait for their answers',
  quick: true,
  async run(bench) {
    const rig = await bench.openRig({});
    const cases: Case[] = [];
    for (const method of METHODS) {
      for (const connections of bench.options.connections ?? CONNECTIONS) {
        cases.push({ method, connections, measured: await measureCase(bench, rig, method, connections) });
      }
    }
    return toReport(cases);
  },
};

async function measureCase(
  { options, say }: Bench,
  rig: Rig,
  { label, requestsOf }: (typeof METHODS)[number],
  connections: number,
): Promise<Measured> {
  const rounds = options.rounds ?? (options.quick ? 3 : 7);
  const measureMs = (options.seconds ?? (options.quick ? 1 : 4)) * 1_000;
  // The first round of all also warms the processes up.
  const group = { name: 'all', connections, requests: requestsOf(rig.customer) };
  for (const started of rig.designs) {
    say(`${label}, ${connections} connections, warming up: ${started.design.label}`);
    await measure(rig, started, { groups: [group], warmUpMs: 0, measureMs: options.quick ? 500 : 2_000 });
  }
  return alternate(rig, rounds, async (started, round) => {
    const measured = await measure(rig, started, { groups: [group], warmUpMs: measureMs / 4, measureMs });
    const rate = `${Math.round(measured.callsPerSecond)} calls/s`;
    say(`${label}, ${connections} connections, round ${round} of ${rounds}: ${started.design.label} ${rate}`);
    return measured;
  });
}

function toReport(cases: Case[]): ScenarioReport {
  const ratios: Record<string, number> = {};
  const title = ({ method, connections }: Case) => `${method.label}, ${connections} connections`;
  for (const { method, connections, measured } of cases) {
    const name = `${method.key}.${connections}`;
    for (const other of ['usual', 'noQueue'] as const) {
      const found = ratiosTo(measured, other);
      if (!found) continue;
      for (const [what, ratio] of Object.entries(found)) ratios[`${name}.${what}/${other}`] = ratio;
    }
    const above = cpuAboveNoQueue(measured);
    if (!Number.isNaN(above)) ratios[`${name}.cpuAboveNoQueue/usual`] = above;
  }
  return {
    about: 'Closed loop: every connection makes its next call when it has the answer to the last one.',
    tables: cases.map((one) => comparisonTable(title(one), one.measured)),
    charts: METHODS.map(({ key, label }) => {
      const shown = cases.filter(({ method }) => method.key === key);
      return {
        file: `steady-${key}.svg`,
        title: `${label}: calls per second`,
        kind: 'bars',
        groups: shown.map(({ connections }) => `${connections} connections`),
        series: DESIGNS.map((design) => ({
          label: design.label,
          values: shown.map(({ measured }) =>
            median(measured[design.name].map(({ callsPerSecond }) => callsPerSecond)),
          ),
        })),
      };
    }),
    ratios,
    complaints: cases.flatMap((one) => complainOfFailures(title(one), one.measured)),
    raw: cases,
  };
}
