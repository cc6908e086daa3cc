import { Redis } from 'ioredis';
import { newId } from '../../../src/ids.ts';
import { createRecord } from '../../../src/store/records.ts';
import { type Measurement, measure } from '../measure.ts';
import { cpuMicros } from '../report/compare.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median, medianRatio } from '../report/statistics.ts';
import type { Management } from '../rig/management.ts';
import { toGetRequest } from '../rig/management.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';

const ITEMS = 100_000;
const PAGE = 100;
const CONNECTIONS = 8;

interface Page {
  hasMore: boolean;
  cursors: { next: string | null };
}

/** What a page costs a hundred thousand items deep, compared with the first one. */
export const listDepth: Scenario = {
  name: 'list-depth',
  summary: `a page of ${PAGE} after ${ITEMS} items, compared with the first`,
  quick: true,
  async run(bench) {
    const { options, say, openRig } = bench;
    const rig = await openRig({ designs: ['service'] });
    say(`creating ${ITEMS} workspaces`);
    await createWorkspaces(rig.redisUrl, rig.customer.organizationId);
    const first = `/v1/workspaces?limit=${PAGE}`;
    const deep = `${first}&startingAfter=${await findDeepCursor(rig.management, bench, first)}`;
    const rounds = options.rounds ?? (options.quick ? 3 : 7);
    const measureMs = (options.seconds ?? (options.quick ? 1 : 3)) * 1_000;
    const pages: Record<'first' | 'deep', Measurement[]> = {
      first: [],
      deep: [],
    };
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, path] of [['first', first] as const, ['deep', deep] as const]) {
        say(`round ${round} of ${rounds}: ${name} page`);
        const request = toGetRequest(rig.management.rootKey, path);
        const measured = await measure(rig, rig.designs[0] as StartedDesign, {
          groups: [{ name, connections: CONNECTIONS, requests: [request] }],
          warmUpMs: 300,
          measureMs,
        });
        if (round > 0) pages[name].push(measured);
      }
    }
    return toReport(pages);
  },
};

// Over the API it would take minutes, and how they came there does not matter to a list.
async function createWorkspaces(redisUrl: string, organizationId: string): Promise<void> {
  const redis = new Redis(redisUrl);
  const createdAt = new Date().toISOString();
  for (let done = 0; done < ITEMS; done += 1_000) {
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => {
        const name = `Workspace ${done + index}`;
        return createRecord(redis, 'workspaces', {
          id: newId('workspace'),
          name,
          organizationId,
          createdAt,
        });
      }),
    );
  }
  redis.disconnect();
}

async function findDeepCursor(management: Management, { say }: Bench, first: string): Promise<string> {
  let cursor = '';
  for (let depth = 0; depth + PAGE < ITEMS; depth += PAGE) {
    if (depth % 10_000 === 0) say(`walking to item ${ITEMS}: ${depth}`);
    const page: Page = await management.get(cursor === '' ? first : `${first}&startingAfter=${cursor}`);
    if (page.cursors.next === null) throw new Error(`The list ended after ${depth} items.`);
    cursor = encodeURIComponent(page.cursors.next);
  }
  return cursor;
}

function toReport(pages: Record<'first' | 'deep', Measurement[]>): ScenarioReport {
  const ratio = (value: (measurement: Measurement) => number) =>
    medianRatio(pages.deep.map(value), pages.first.map(value));
  const p50 = ratio(({ p50Ms }) => p50Ms);
  const row = (name: string, measured: Measurement[]) => [
    name,
    median(measured.map(({ callsPerSecond }) => callsPerSecond)).toFixed(0),
    median(measured.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(measured.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(measured.map(cpuMicros)).toFixed(0),
    median(measured.map(({ redisMicros }) => redisMicros)).toFixed(0),
  ];
  const times = (value: number) => `${value.toFixed(2)}×`;
  return {
    about: `${CONNECTIONS} connections ask for the same page of ${PAGE} workspaces over and over.`,
    tables: [
      {
        title: `A page of ${PAGE} among ${ITEMS}`,
        columns: ['', 'pages/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Redis µs'],
        rows: [
          [
            'deep ÷ first',
            times(ratio(({ callsPerSecond }) => callsPerSecond)),
            times(p50),
            times(ratio(({ p99Ms }) => p99Ms)),
            times(ratio(cpuMicros)),
            times(ratio(({ redisMicros }) => redisMicros)),
          ],
          row('first page', pages.first),
          row(`page after ${ITEMS}`, pages.deep),
        ],
      },
    ],
    charts: [],
    ratios: { 'list-depth.p50/first': p50 },
    complaints: [],
    raw: pages,
  };
}
