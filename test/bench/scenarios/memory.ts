import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LEDGER_GRACE_MS } from '../../../src/ledger/retention.ts';
import { type Measurement, measure } from '../measure.ts';
import type { HeapAnswer } from '../preload/heap-probe.ts';
import type { Finding } from '../report/finding.ts';
import type { ScenarioReport } from '../report/report.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { readRequests } from './requests.ts';

const READS = 1_000_000;
const QUICK_READS = 30_000;
const WARM_UP_READS = 100_000;
const QUICK_WARM_UP_READS = 20_000;
const STEP_MS = 5_000;
const QUICK_STEP_MS = 1_000;
const CALL_TIMEOUT_MS = 1_000;

// What is kept of a call goes that long after its deadline, and a second later at the latest.
const SETTLE_MS = CALL_TIMEOUT_MS + LEDGER_GRACE_MS + 1_000;

const LOOKS = 16;
const LOOK_EVERY_MS = 300;

interface Memory {
  apiHeap: number;
  workerHeap: number;
  redisBytes: number;
  /** Their names; before, also of those that come and go. */
  redisKeys: string[];
}

/** Whether anything grows with the number of calls that have been made. */
export const memory: Scenario = {
  name: 'memory',
  summary: `heaps and Redis after ${READS} reads, compared with before`,
  seconds: { quick: 24, full: 100 },
  async run(bench) {
    const rig = await bench.openRig({
      designs: ['service'],
      env: { CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS) },
      nodeArgs: ['--expose-gc', '--import', './dist/bench/test/bench/preload/heap-probe.js'],
    });
    const { quick } = bench.options;
    await read(bench, rig, quick ? QUICK_WARM_UP_READS : WARM_UP_READS);
    const before = await takeMemory(bench, rig);
    before.redisKeys.push(...(await watchKeys(rig.redis)));
    const measurements = await read(bench, rig, quick ? QUICK_READS : READS);
    const after = await takeMemory(bench, rig);
    const calls = measurements.reduce((sum, { groups }) => sum + (groups.all?.answered ?? 0), 0);
    return toReport(calls, before, after);
  },
};

async function read({ options, say }: Bench, rig: Rig, wanted: number): Promise<Measurement[]> {
  const group = {
    name: 'all',
    connections: 256,
    requests: readRequests(rig.customer),
  };
  const measurements: Measurement[] = [];
  for (let done = 0; done < wanted; ) {
    say(`${done} of ${wanted} reads`);
    const measured = await measure(rig, rig.designs[0] as StartedDesign, {
      groups: [group],
      warmUpMs: 0,
      measureMs: options.quick ? QUICK_STEP_MS : STEP_MS,
    });
    const answered = measured.groups.all?.answered ?? 0;
    if (answered === 0) throw new Error('No call was answered.');
    done += answered;
    measurements.push(measured);
  }
  return measurements;
}

async function takeMemory({ say }: Bench, { redis, designs }: Rig): Promise<Memory> {
  say('waiting for what is left of the calls to expire');
  await sleep(SETTLE_MS);
  const { apis, workers } = designs[0] as StartedDesign;
  const [api, worker] = await Promise.all(
    [apis[0], workers[0]].map((child) => child?.ask<HeapAnswer>('heap')),
  );
  return {
    apiHeap: api?.heapBytes ?? Number.NaN,
    workerHeap: worker?.heapBytes ?? Number.NaN,
    ...(await weighKeys(redis)),
  };
}

// Key by key: what Redis says of its memory as a whole moves by more than a call could leave.
async function weighKeys(redis: Redis): Promise<Pick<Memory, 'redisBytes' | 'redisKeys'>> {
  let redisBytes = 0;
  const redisKeys: string[] = [];
  for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>) {
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    for (const [index, size] of sizes.entries()) {
      if (size === null) continue;
      redisBytes += size;
      redisKeys.push(keys[index] as string);
    }
  }
  return { redisBytes, redisKeys };
}

// Locks that processes hold for seconds are there or not by chance: those that were there before are none that calls have left.
async function watchKeys(redis: Redis): Promise<string[]> {
  const seen: string[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    await sleep(LOOK_EVERY_MS);
    for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>)
      seen.push(...keys);
  }
  return [...new Set(seen)];
}

function toReport(calls: number, before: Memory, after: Memory): ScenarioReport {
  const known = new Set(before.redisKeys);
  const left = after.redisKeys.filter((key) => !known.has(key));
  const subject = `memory, ${calls} reads`;
  const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  const row = (name: string, key: 'apiHeap' | 'workerHeap' | 'redisBytes') => [
    name,
    mebibytes(before[key]),
    mebibytes(after[key]),
    `${(after[key] / before[key]).toFixed(2)}×`,
    ((after[key] - before[key]) / calls).toFixed(3),
  ];
  const heap = (key: 'apiHeap' | 'workerHeap', text: string): Finding => ({
    name: `memory.${key}/before`,
    subject,
    text,
    values: [after[key] / before[key]],
    unit: '×',
    better: 'lower',
    limit: 1.1,
  });
  return {
    about:
      'Heaps are what is in use after a collection. Redis is looked at when the time of every call is over and what was kept ' +
      'of it has expired.',
    findings: [
      heap('apiHeap', 'API heap after ÷ before'),
      heap('workerHeap', 'worker heap after ÷ before'),
      {
        name: 'memory.redisKeys/call',
        subject,
        text: 'keys left in Redis',
        values: [left.length],
        unit: 'keys',
        better: 'lower',
        limit: 0,
      },
      {
        name: 'memory.redisBytes/call',
        subject,
        text: 'bytes left in Redis a call',
        values: [(after.redisBytes - before.redisBytes) / calls],
        unit: 'B',
        better: 'lower',
        limit: 0.1,
      },
    ],
    tables: [
      {
        title: `${calls} reads`,
        columns: ['', 'before MiB', 'after MiB', 'after ÷ before', 'bytes a call'],
        rows: [
          row('heap of the API process', 'apiHeap'),
          row('heap of the worker', 'workerHeap'),
          row('data in Redis', 'redisBytes'),
          ['keys in Redis', String(known.size), String(after.redisKeys.length), '', ''],
        ],
      },
    ],
    charts: [],
    complaints: left.length > 0 ? [`memory: left in Redis: ${left.join(', ')}`] : [],
    raw: { calls, before, after },
  };
}
