import { Collector } from '../../support/tracing/collector.ts';
import { type Measurement, measure } from '../measure.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median, medianInterval, ratiosOf } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { sendRequests } from './requests.ts';

const CONNECTIONS = 64;
const SAMPLED = '0.01';

// One export falls into each round, not while the other side is measured. By default there are five times fewer.
const EXPORT_MS = 1_000;
const WARM_UP_MS = 250;

// What others do to caches changes what a call costs by more than is looked for.
const OTHERS_BUSY_MAX = 0.3;
const PAIRS_MIN = 10;

const SIDES = ['off', 'on'] as const;
type Side = (typeof SIDES)[number];

/** What it costs to trace one call in a hundred, compared with none. */
export const tracing: Scenario = {
  name: 'tracing',
  summary: `messages.sendMessage with one call in a hundred traced, compared with none`,
  seconds: { quick: 25, full: 190 },
  async run(bench) {
    const collector = await Collector.start();
    try {
      const measured: Record<Side, Measurement[]> = { off: [], on: [] };
      // Two processes of the same build differ by a percent or two for as long as they live.
      const pairs = bench.options.quick ? 1 : 3;
      for (let pair = 1; pair <= pairs; pair += 1)
        await measurePair(bench, collector.url, `services ${pair} of ${pairs}`, measured);
      return toReport(measured, pairs, collector.exports.length);
    } finally {
      await collector.stop();
    }
  },
};

/** Measures two services in turn, started for it. */
async function measurePair(
  bench: Bench,
  collector: string,
  name: string,
  measured: Record<Side, Measurement[]>,
): Promise<void> {
  const { options, say } = bench;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: SAMPLED,
    OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_MS),
  };
  const rigs = {
    off: await bench.openRig({ designs: ['service'] }),
    on: await bench.openRig({ designs: ['service'], env }),
  };
  const rounds = options.rounds ?? (options.quick ? 5 : 20);
  const measureMs = (options.seconds ?? 1) * 1_000;
  for (const side of SIDES) await measureOne(rigs[side], 3 * measureMs);
  // Which side comes first alternates.
  for (let round = 1; round <= rounds; round += 1) {
    say(`${name}, round ${round} of ${rounds}`);
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed())
      measured[side].push(await measureOne(rigs[side], measureMs));
  }
  await Promise.all(SIDES.map((side) => rigs[side].close()));
}

function measureOne(rig: Rig, measureMs: number): Promise<Measurement> {
  return measure(rig, rig.designs[0] as StartedDesign, {
    groups: [{ name: 'sends', connections: CONNECTIONS, requests: sendRequests(rig.customer) }],
    warmUpMs: WARM_UP_MS,
    measureMs,
  });
}

// Without Redis, which has nothing to do with it and whose own work comes in bursts.
function processMicros({ apiMicros, workerMicros }: Measurement): number {
  return apiMicros + workerMicros;
}

/** The pairs in which nothing else kept the machine busy; with too few of them the half in which least did. */
function calmest({ off, on }: Record<Side, Measurement[]>): Record<Side, Measurement[]> {
  const pairs = off
    .map((one, at) => [one, on[at] as Measurement] as const)
    .filter((pair) => pair.every(({ callsPerSecond }) => callsPerSecond > 0))
    .map((pair) => ({ pair, busy: Math.max(...pair.map(({ othersBusy }) => othersBusy)) }))
    .sort((a, b) => a.busy - b.busy);
  const calm = pairs.filter(({ busy }) => busy <= OTHERS_BUSY_MAX);
  const counted = calm.length >= PAIRS_MIN ? calm : pairs.slice(0, Math.ceil(pairs.length / 2));
  return { off: counted.map(({ pair }) => pair[0]), on: counted.map(({ pair }) => pair[1]) };
}

function toReport(all: Record<Side, Measurement[]>, services: number, exports: number): ScenarioReport {
  const { off, on } = calmest(all);
  const ratio = (value: (one: Measurement) => number) => ratiosOf(on.map(value), off.map(value));
  const row = (name: string, value: (one: Measurement) => number) => {
    const ratios = ratio(value);
    const figures = [off, on].map((side) => median(side.map(value)).toFixed(1));
    const interval = medianInterval(ratios).map((bound) => bound.toFixed(3));
    return [name, ...figures, median(ratios).toFixed(3), interval.join(' to ')];
  };
  return {
    about: `${CONNECTIONS} connections in a closed loop, against two services with a Redis each, in short turns; ${services} times with processes started anew. Ratios are medians of ${off.length} of ${all.off.length} pairs of rounds, those with the least other load; with 95 % certainty they lie between the bounds given, but for what distinguishes processes of one build.`,
    findings: [
      {
        name: 'tracing.cpu/off',
        subject: 'tracing',
        text: 'CPU a call of API and worker with one in a hundred traced ÷ with none',
        values: ratio(processMicros),
        unit: '×',
        better: 'lower',
      },
      {
        name: 'tracing.callsPerSecond/off',
        subject: 'tracing',
        text: 'calls/s with one in a hundred traced ÷ with none',
        values: ratio(({ callsPerSecond }) => callsPerSecond),
        unit: '×',
        better: 'higher',
      },
    ],
    tables: [
      {
        title: 'Sends, one in a hundred traced',
        columns: ['', 'none', 'one in 100', 'ratio', 'between'],
        rows: [
          row('CPU-µs a call, API and worker', processMicros),
          row('of them API', ({ apiMicros }) => apiMicros),
          row('worker', ({ workerMicros }) => workerMicros),
          row('Redis', ({ redisMicros }) => redisMicros),
          row('calls/s', ({ callsPerSecond }) => callsPerSecond),
          row('p99, ms', ({ p99Ms }) => p99Ms),
          [
            'other CPU',
            ...[off, on].map((side) => median(side.map(({ othersBusy }) => othersBusy)).toFixed(2)),
            '',
            '',
          ],
        ],
      },
    ],
    charts: [],
    complaints: exports > 0 ? [] : ['Nothing was exported: it was not measured.'],
    raw: all,
  };
}
