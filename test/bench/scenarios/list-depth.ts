import { Redis } from 'ioredis';
import { createRecord } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { type Measurement, measure } from '../measure.ts';
import { cpuMicros } from '../report/compare.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median, ratiosOf } from '../report/statistics.ts';
import type { Management } from '../rig/management.ts';
import { toGetRequest } from '../rig/management.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Bench, Scenario } from '../scenario.ts';

const ITEMS = 100_000;
const QUICK_ITEMS = 20_000;
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
  seconds: { quick: 7, full: 45 },
  async run(bench) {
    const { options, say, openRig } = bench;
    const rig = await openRig({ designs: ['service'] });
    const items = options.quick ? QUICK_ITEMS : ITEMS;
    say(`creating ${items} workspaces`);
    await createWorkspaces(rig.redisUrl, rig.customer.organizationId, items);
    const first = `/v1/workspaces?limit=${PAGE}`;
    const deep = `${first}&startingAfter=${await findDeepCursor(rig.management, bench, first, items)}`;
    const rounds = options.rounds ?? (options.quick ? 2 : 5);
    const measureMs = (options.seconds ?? (options.quick ? 0.5 : 2)) * 1_000;
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
    return toReport(pages, items);
  },
};

// Over the API it would take minutes, and how they came there does not matter to a list.
async function createWorkspaces(redisUrl: string, organizationId: string, items: number): Promise<void> {
  const redis = new Redis(redisUrl);
  const createdAt = new Date().toISOString();
  for (let done = 0; done < items; done += 1_000) {
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => {
        const name = `Workspace ${done + index}`;
        return createRecord(redis, 'workspaces', {
          id: newId('workspace'),
          name,
          organizationId,
          weight: 1,
          maxConcurrentCalls: null,
          bytesMax: null,
          createdAt,
        });
      }),
    );
  }
  redis.disconnect();
}

async function findDeepCursor(
  management: Management,
  { say }: Bench,
  first: string,
  items: number,
): Promise<string> {
  let cursor = '';
  for (let depth = 0; depth + PAGE < items; depth += PAGE) {
    if (depth % 10_000 === 0) say(`walking to item ${items}: ${depth}`);
    const page: Page = await management.get(cursor === '' ? first : `${first}&startingAfter=${cursor}`);
    if (page.cursors.next === null) throw new Error(`The list ended after ${depth} items.`);
    cursor = encodeURIComponent(page.cursors.next);
  }
  return cursor;
}

function toReport(pages: Record<'first' | 'deep', Measurement[]>, items: number): ScenarioReport {
  const ratio = (value: (measurement: Measurement) => number) =>
    ratiosOf(pages.deep.map(value), pages.first.map(value));
  const p50 = ratio(({ p50Ms }) => p50Ms);
  const row = (name: string, measured: Measurement[]) => [
    name,
    median(measured.map(({ callsPerSecond }) => callsPerSecond)).toFixed(0),
    median(measured.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(measured.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(measured.map(cpuMicros)).toFixed(0),
    median(measured.map(({ redisMicros }) => redisMicros)).toFixed(0),
  ];
  const times = (values: number[]) => `${median(values).toFixed(2)}×`;
  return {
    about: `${CONNECTIONS} connections ask for the same page of ${PAGE} workspaces over and over.`,
    findings: [
      {
        name: 'list-depth.p50/first',
        subject: 'list-depth',
        text: `p50 of the page after ${items} items ÷ first page`,
        values: p50,
        unit: '×',
        better: 'lower',
        limit: 1.5,
      },
    ],
    tables: [
      {
        title: `A page of ${PAGE} among ${items}`,
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
          row(`page after ${items}`, pages.deep),
        ],
      },
    ],
    charts: [],
    complaints: [],
    raw: pages,
  };
}
