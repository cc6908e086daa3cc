import { Collector } from '../../support/tracing/collector.ts';
import type { LoadResult } from '../load/load-plan.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { sendRequests } from './requests.ts';
import { measureDecision } from './tracing-decision.ts';
import { type MeasuredTracing, MORE, ONE_IN, SIDES, type Side, toTracingReport } from './tracing-report.ts';

const CONNECTIONS = 64;
// All sides together leave a third of two cores idle: who has to wait for a processor finds its caches cold.
const CALLS_PER_SECOND = 200;

// How fast code is does not change much any more after some thousand calls.
const FIRST_WARM_UP_MS = 8_000;
const WARM_UP_MS = 250;
// As often as processes export by default: one export of each falls into a round.
const EXPORT_MS = 5_000;

/** What it costs to trace some calls, compared with none. */
export const tracing: Scenario = {
  name: 'tracing',
  summary: 'messages.sendMessage with one call in a hundred traced, compared with none',
  seconds: { quick: 40, full: 240 },
  async run(bench) {
    const collector = await Collector.start();
    try {
      // Processes of the same build differ by a percent or two for as long as they live.
      const services = bench.options.quick ? 1 : 4;
      const rounds: MeasuredTracing['rounds'] = [];
      for (let number = 1; number <= services; number += 1)
        rounds.push(
          ...(await measureTogether(bench, collector.url, `services ${number} of ${services}`, number)),
        );
      const exports = collector.exports.length;
      const decisionNs = await measureDecision(collector.url);
      return toTracingReport({ rounds, services, exports, decisionNs, perSecond: CALLS_PER_SECOND });
    } finally {
      await collector.stop();
    }
  },
};

/**
 * Starts a service for each side and calls all of them at the same time, at the same rate: what else the machine does, and how fast it is
 * at the moment, falls on all alike.
 */
async function measureTogether(
  { options, say, openRig }: Bench,
  collector: string,
  name: string,
  number: number,
): Promise<MeasuredTracing['rounds']> {
  const rigs = new Map<Side, Rig>();
  // Which side is started first, and called first, takes turns.
  const sides = SIDES.map((_, at) => SIDES[(at + number) % SIDES.length] as Side);
  for (const side of sides) {
    say(`${name}, starting`);
    rigs.set(side, await openRig({ designs: ['service'], env: envOf(side, collector) }));
  }
  const count = options.rounds ?? (options.quick ? 3 : 8);
  const measureMs = options.seconds === undefined ? EXPORT_MS : options.seconds * 1_000;
  await measureRound(rigs, FIRST_WARM_UP_MS, WARM_UP_MS);
  const rounds: MeasuredTracing['rounds'] = [];
  for (let round = 1; round <= count; round += 1) {
    say(`${name}, round ${round} of ${count}`);
    rounds.push(await measureRound(rigs, WARM_UP_MS, measureMs));
  }
  await Promise.all([...rigs.values()].map((rig) => rig.close()));
  return rounds;
}

async function measureRound(
  rigs: ReadonlyMap<Side, Rig>,
  warmUpMs: number,
  measureMs: number,
): Promise<LoadResult> {
  const [first] = rigs.values();
  const all = [...rigs].map(([side, rig]) => ({ side, rig, started: rig.designs[0] as StartedDesign }));
  return (first as Rig).load.run({
    groups: all.map(({ side, rig, started }) => ({
      name: side,
      ports: started.ports,
      connections: CONNECTIONS,
      ratePerSecond: CALLS_PER_SECOND,
      requests: sendRequests(rig.customer),
    })),
    warmUpMs,
    measureMs,
    drainMs: 2_000,
    // Without Redis, which has nothing to do with it and whose own work comes in bursts.
    pids: Object.fromEntries(
      all.map(({ side, started }) => [side, [...started.apis, ...started.workers].map(({ pid }) => pid)]),
    ),
  });
}

function envOf(side: Side, collector: string): Record<string, string> {
  const oneIn = ONE_IN[side];
  if (oneIn === null) return {};
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(1 / oneIn),
    OTEL_BSP_SCHEDULE_DELAY: String(side === 'fifth' ? EXPORT_MS / MORE : EXPORT_MS),
    TRACES_PER_SECOND: String(CALLS_PER_SECOND),
  };
}
