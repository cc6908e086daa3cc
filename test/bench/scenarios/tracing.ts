import { Collector } from '../../support/tracing/collector.ts';
import { type Measurement, measure } from '../measure.ts';
import { cpuMicros } from '../report/compare.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median, ratiosOf, spread } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { sendRequests } from './requests.ts';

const CONNECTIONS = 64;
const SAMPLED = '0.01';

type Side = 'off' | 'on';

/** What it costs to trace one call in a hundred, compared with none. */
export const tracing: Scenario = {
  name: 'tracing',
  summary: `messages.sendMessage with one call in a hundred traced, compared with none`,
  seconds: { quick: 12, full: 100 },
  async run(bench) {
    const collector = await Collector.start();
    try {
      const env = {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: SAMPLED,
      };
      const rigs = {
        off: await bench.openRig({ designs: ['service'] }),
        on: await bench.openRig({ designs: ['service'], env }),
      };
      const measured = await measureBoth(bench, rigs);
      return toReport(measured, collector.exports.length);
    } finally {
      await collector.stop();
    }
  },
};

async function measureBoth(
  { options, say }: Bench,
  rigs: Record<Side, Rig>,
): Promise<Record<Side, Measurement[]>> {
  const rounds = options.rounds ?? (options.quick ? 3 : 15);
  const measureMs = (options.seconds ?? (options.quick ? 0.5 : 2)) * 1_000;
  const measured: Record<Side, Measurement[]> = { off: [], on: [] };
  // The first round warms the processes up. Which side comes first alternates.
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
      say(`round ${round} of ${rounds}: tracing ${side}`);
      const { designs, customer } = rigs[side];
      const one = await measure(rigs[side], designs[0] as StartedDesign, {
        groups: [{ name: 'sends', connections: CONNECTIONS, requests: sendRequests(customer) }],
        warmUpMs: measureMs / 4,
        measureMs,
      });
      if (round > 0) measured[side].push(one);
    }
  }
  return measured;
}

function toReport({ off, on }: Record<Side, Measurement[]>, exports: number): ScenarioReport {
  const ratio = (value: (one: Measurement) => number) => ratiosOf(on.map(value), off.map(value));
  const row = (name: string, value: (one: Measurement) => number) => {
    const ratios = ratio(value);
    const figures = [off, on].map((side) => median(side.map(value)).toFixed(1));
    return [name, ...figures, median(ratios).toFixed(3), `± ${spread(ratios).toFixed(3)}`];
  };
  return {
    about: `${CONNECTIONS} connections in a closed loop, against two services with a Redis each, in turn.`,
    findings: [
      {
        name: 'tracing.cpu/off',
        text: 'tracing: CPU a call with one in a hundred traced ÷ with none',
        values: ratio(cpuMicros),
        unit: '×',
        better: 'lower',
      },
      {
        name: 'tracing.callsPerSecond/off',
        text: 'tracing: calls/s with one in a hundred traced ÷ with none',
        values: ratio(({ callsPerSecond }) => callsPerSecond),
        unit: '×',
        better: 'higher',
      },
    ],
    tables: [
      {
        title: 'Sends, one in a hundred traced',
        columns: ['', 'none', 'one in 100', 'ratio', ''],
        rows: [
          row('calls/s', ({ callsPerSecond }) => callsPerSecond),
          row('CPU-µs a call', cpuMicros),
          row('of them API', ({ apiMicros }) => apiMicros),
          row('worker', ({ workerMicros }) => workerMicros),
          row('Redis', ({ redisMicros }) => redisMicros),
          row('p99, ms', ({ p99Ms }) => p99Ms),
        ],
      },
    ],
    charts: [],
    complaints: exports > 0 ? [] : ['Nothing was exported: it was not measured.'],
    raw: { off, on },
  };
}
