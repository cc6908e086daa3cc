import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Measurement, measure } from '../measure.ts';
import type { HeapAnswer } from '../preload/heap-probe.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import { type BenchCustomer, seedCustomer } from '../rig/seed-customer.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import { Subscribers } from '../rig/subscribers.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { readRequests, sendRequests } from './requests.ts';

const SUBSCRIBERS = 1_000;
// Each makes two updates: one for either side.
const SENDS_PER_SECOND = 10;
const CAPACITY_CONNECTIONS = 64;
const SETTLE_MS = 2_000;

interface Round {
  alone: Measurement;
  followed: Measurement;
  updates: number;
  /** Subscribers that were not given every update once. */
  incomplete: number;
  p50Ms: number;
  p99Ms: number;
  heapBytesEach: number;
  residentBytesEach: number;
}

/** What many readers of one stream cost, and what the calls feel of them. */
export const fanOut: Scenario = {
  name: 'fan-out',
  summary: `${SUBSCRIBERS} subscribers of one workspace with 20 updates a second, reads elsewhere at half of capacity`,
  seconds: { quick: 10, full: 125 },
  async run(bench) {
    const rig = await bench.openRig({
      designs: ['service'],
      nodeArgs: ['--expose-gc', '--import', './dist/bench/test/bench/preload/heap-probe.js'],
    });
    const elsewhere = await seedCustomer(rig.management, 'elsewhere');
    const started = rig.designs[0] as StartedDesign;
    bench.say('measuring the capacity');
    const capacity = await measure(rig, started, {
      groups: [{ name: 'all', connections: CAPACITY_CONNECTIONS, requests: readRequests(elsewhere) }],
      warmUpMs: bench.options.quick ? 300 : 2_000,
      measureMs: bench.options.quick ? 700 : 3_000,
    });
    const rounds: Round[] = [];
    const count = bench.options.rounds ?? (bench.options.quick ? 1 : 5);
    for (let round = 1; round <= count; round += 1) {
      bench.say(`round ${round} of ${count}`);
      rounds.push(await measureRound(bench, rig, elsewhere, capacity.callsPerSecond / 2));
    }
    return toReport(capacity.callsPerSecond, rounds);
  },
};

async function measureRound(
  { options }: Bench,
  rig: Rig,
  elsewhere: BenchCustomer,
  readsPerSecond: number,
): Promise<Round> {
  const started = rig.designs[0] as StartedDesign;
  const { workspaceId } = rig.customer.reader;
  const load = {
    groups: [
      { name: 'reads', connections: 512, requests: readRequests(elsewhere), ratePerSecond: readsPerSecond },
      {
        name: 'sends',
        connections: 64,
        requests: sendRequests(rig.customer),
        ratePerSecond: SENDS_PER_SECOND,
      },
    ],
    warmUpMs: options.quick ? 300 : 1_000,
    measureMs: (options.seconds ?? (options.quick ? 2 : 8)) * 1_000,
  };
  // It collects garbage: either measurement begins with as much of it, or collections fall on one of them alone.
  await takeMemory(started);
  const alone = await measure(rig, started, load);
  const before = await takeMemory(started);
  const subscribers = new Subscribers();
  const updatesBefore = await rig.redis.xlen(`sb:{${workspaceId}}:updates`);
  await subscribers.open(SUBSCRIBERS, started.ports[0] as number, workspaceId, rig.management.rootKey);
  const after = await takeMemory(started);
  const followed = await measure(rig, started, load);
  await sleep(SETTLE_MS);
  const updates = (await rig.redis.xlen(`sb:{${workspaceId}}:updates`)) - updatesBefore;
  const incomplete = Math.max(subscribers.without(updates), subscribers.gone);
  const [p50Ms, p99Ms] = subscribers.delays.quantiles(0.5, 0.99);
  subscribers.close();
  return {
    ...{ alone, followed, updates, incomplete },
    p50Ms: p50Ms ?? Number.NaN,
    p99Ms: p99Ms ?? Number.NaN,
    heapBytesEach: (after.heap - before.heap) / SUBSCRIBERS,
    residentBytesEach: (after.resident - before.resident) / SUBSCRIBERS,
  };
}

async function takeMemory({ apis }: StartedDesign): Promise<{ heap: number; resident: number }> {
  const [api] = apis;
  const heap = (await api?.ask<HeapAnswer>('heap'))?.heapBytes ?? Number.NaN;
  const status = readFileSync(`/proc/${api?.pid}/status`, 'utf8');
  return { heap, resident: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024 };
}

function toReport(capacity: number, rounds: Round[]): ScenarioReport {
  const readP99 = ({ groups }: Measurement) => groups.reads?.p99Ms ?? Number.NaN;
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const slower = rounds.map(({ alone, followed }) => readP99(followed) / readP99(alone));
  const finding = (name: string, text: string, value: (round: Round) => number) => ({
    name: `fan-out.${name}`,
    subject: 'fan-out',
    text,
    values: rounds.map(value),
    better: 'lower' as const,
  });
  const incomplete = rounds.reduce((sum, round) => sum + round.incomplete, 0);
  return {
    about:
      `${SUBSCRIBERS} readers of server-sent events follow one workspace at one API process. Elsewhere reads come at ` +
      `${Math.round(capacity / 2)}/s, half of what it can do; without the readers and with them in turn, in ${rounds.length} rounds, ` +
      "each time from a collected heap. Delays are from the commit to the reader, by Redis' clock.",
    findings: [
      {
        name: 'fan-out.readP99/noSubscribers',
        subject: 'fan-out',
        text: `p99 of reads elsewhere with ${SUBSCRIBERS} subscribers ÷ without`,
        values: slower,
        unit: '×',
        better: 'lower',
        limit: 1.5,
      },
      {
        ...finding('incomplete', 'subscribers without every update', (round) => round.incomplete),
        unit: 'calls',
        limit: 0,
      },
      { ...finding('p99', 'p99 from commit to reader', (round) => round.p99Ms), unit: 'ms' },
      {
        ...finding('memory', 'resident memory a subscriber', (round) => round.residentBytesEach / 1_024),
        unit: 'KiB',
      },
    ],
    tables: [
      {
        title: `${SUBSCRIBERS} subscribers`,
        columns: ['', ''],
        rows: [
          ['updates in a round', middle(({ updates }) => updates).toFixed(0)],
          ['subscribers that missed or repeated one', String(incomplete)],
          ['p50 from commit to reader, ms', middle(({ p50Ms }) => p50Ms).toFixed(1)],
          ['p99 from commit to reader, ms', middle(({ p99Ms }) => p99Ms).toFixed(1)],
          ['heap a subscriber, KiB', middle(({ heapBytesEach }) => heapBytesEach / 1_024).toFixed(1)],
          [
            'resident a subscriber, KiB',
            middle(({ residentBytesEach }) => residentBytesEach / 1_024).toFixed(1),
          ],
          ['p99 of reads without subscribers, ms', middle(({ alone }) => readP99(alone)).toFixed(1)],
          ['p99 of reads with them, ms', middle(({ followed }) => readP99(followed)).toFixed(1)],
          ['with ÷ without', `${median(slower).toFixed(2)}×`],
        ],
      },
    ],
    charts: [],
    complaints: incomplete === 0 ? [] : [`${incomplete} subscribers were not given every update once.`],
    raw: { capacity, rounds },
  };
}
