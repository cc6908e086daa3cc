import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CursorSealer } from '../../../src/directory/cursor.ts';
import { beforeTime, type ListedBy, memberOf } from '../../../src/directory/list-entries.ts';
import { sourceOf } from '../../../src/directory/lists.ts';
import { type ListOrder, type Page, readPage, SCANNED_MAX } from '../../../src/directory/page.ts';
import { idsSince, newIdentity } from '../../../src/ids.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const sealer = new CursorSealer(Buffer.from('a secret of some length'));
const SETS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

interface Item {
  id: string;
  number: number;
}

/** Adds an item to one of the sets, with a time that others may have too. */
async function add(by: ListedBy, set: number, score: number): Promise<Item & { score: number }> {
  const item = { ...newIdentity('call'), number: score };
  await redis.zadd(SETS[set] as string, by === 'id' ? 0 : score, item.id);
  await redis.hset('records', item.id, JSON.stringify(item));
  return { ...item, score };
}

interface Walk {
  by: ListedBy;
  order?: Partial<ListOrder>;
  limits: () => number;
  matches?: ((item: Item) => boolean) | null;
  between?: () => Promise<unknown>;
}

function pageOf({ by, order = {}, matches = null }: Omit<Walk, 'limits'>, request: { limit: number }) {
  const source = sourceOf(
    redis,
    { keys: SETS, by, records: 'records' },
    (text): Item => JSON.parse(text),
    (read) => read(),
  );
  const whole = { name: 'list', isDescending: false, span: { from: null, to: null }, ...order };
  return readPage(sealer, whole, source, request, matches);
}

async function walk(wanted: Walk, startingAfter?: string): Promise<Page<Item>[]> {
  const page = await pageOf(wanted, { limit: wanted.limits(), ...(startingAfter ? { startingAfter } : {}) });
  expect(page.hasMore).toBe(page.cursors.next !== null);
  await wanted.between?.();
  return page.cursors.next === null ? [page] : [page, ...(await walk(wanted, page.cursors.next))];
}

async function walkBack(wanted: Walk, endingBefore: string | null): Promise<Page<Item>[]> {
  if (endingBefore === null) return [];
  const page = await pageOf(wanted, { limit: wanted.limits(), endingBefore } as never);
  return [...(await walkBack(wanted, page.cursors.previous)), page];
}

function orderedIds(by: ListedBy, items: (Item & { score: number })[]): string[] {
  const placeOf = ({ id, score }: Item & { score: number }) => (by === 'time' ? `${score} ${id}` : id);
  return items.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).map(({ id }) => id);
}

const idsOf = (pages: Page<Item>[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));
const some = (limits: fc.Stream<number>) => () => limits.next().value as number;

describe.each(['id', 'time'] as const)('a list by %s', (by) => {
  it('is walked whole in both orders and directions, over several sets, with any limits and range', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.record({ set: fc.nat({ max: SETS.length - 1 }), score: fc.nat({ max: 4 }) }), {
        maxLength: 30,
      }),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      fc.boolean(),
      fc.boolean(),
      async (wanted, stream, isDescending, isRange) => {
        await redis.flushall();
        const items: (Item & { score: number })[] = [];
        for (const { set, score } of wanted) items.push(await add(by, set, score));
        const isTimed = by === 'time' && isRange;
        const span = isTimed ? { from: beforeTime(1), to: beforeTime(3) } : undefined;
        const all = orderedIds(by, isTimed ? items.filter(({ score }) => score >= 1 && score < 3) : items);
        if (isDescending) all.reverse();
        const order = { isDescending, ...(span === undefined ? {} : { span }) };
        const walked = { by, order, limits: some(stream) };
        const pages = await walk(walked);
        expect(idsOf(pages)).toEqual(all);
        const last = pages.at(-1) as Page<Item>;
        expect([...idsOf(await walkBack(walked, last.cursors.previous)), ...idsOf([last])]).toEqual(all);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it('gives what stays exactly once while others are made and deleted, the newest first', async () => {
    const items: Item[] = [];
    for (let n = 0; n < 40; n += 1) items.push(await add(by, n % SETS.length, n % 5));
    const gone = new Set<string>();
    const between = async () => {
      const victim = items[(gone.size * 7) % items.length] as Item;
      gone.add(victim.id);
      await redis.hdel('records', victim.id);
      for (const set of SETS) await redis.zrem(set, victim.id);
      await add(by, gone.size % SETS.length, gone.size % 5);
    };
    const pages = await walk({ by, order: { isDescending: true }, limits: () => 3, between });
    const seen = idsOf(pages);
    expect(new Set(seen).size).toBe(seen.length);
    for (const { id } of items) if (!gone.has(id)) expect(seen).toContain(id);
  });

  it('with a filter gives what matches, and says where the search stopped at its bound', async () => {
    const count = 2 * SCANNED_MAX + 100;
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(newIdentity('call').id);
    await redis.zadd('one', ...ids.flatMap((id, n) => [by === 'id' ? 0 : Math.floor(n / 50), id]));
    await redis.hset('records', ...ids.flatMap((id, number) => [id, JSON.stringify({ id, number })]));
    const rare = { by, limits: () => 5, matches: ({ number }: Item) => number === 0 || number === count - 1 };
    const pages = await walk(rare);
    expect(pages.map(({ data, partial, hasMore }) => [data.length, partial, hasMore])).toEqual([
      [1, true, true],
      [0, true, true],
      [1, undefined, false],
    ]);
    const usual = await pageOf({ by, matches: ({ number }) => number % 2 === 1 }, { limit: 5 });
    expect(usual.data.map(({ number }) => number)).toEqual([1, 3, 5, 7, 9]);
    expect(usual).toMatchObject({ hasMore: true });
    expect(usual.partial).toBeUndefined();
    const exact = await pageOf({ by, matches: ({ number }) => number < 5 }, { limit: 5 });
    expect([exact.data.length, exact.partial, exact.hasMore]).toEqual([5, undefined, true]);
    const back = await walkBack(rare, pages.at(-1)?.cursors.previous ?? null);
    expect(idsOf(back)).toEqual([ids[0]]);
  });
});

it('reads a page from anywhere in a long list of one time with few commands', async () => {
  const ids = Array.from({ length: 20_000 }, () => newIdentity('call').id).sort();
  for (let at = 0; at < ids.length; at += 5_000)
    await redis.zadd('one', ...ids.slice(at, at + 5_000).flatMap((id) => [7, id]));
  await redis.hset('records', ids[10_001] as string, '{}');
  const span = { from: { side: 'after', id: `7 ${ids[10_000]}` } as const, to: null };
  const before = Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]);
  await redis.config('RESETSTAT');
  const page = await pageOf({ by: 'time', order: { span } }, { limit: 1 });
  expect(page.data).toEqual([{}]);
  const stats = await redis.info('commandstats');
  const reads = Number(/cmdstat_zrange:calls=(\d+)/.exec(stats)?.[1]);
  expect([before > 0, reads > 10, reads < 60]).toEqual([true, true, true]);
});

it('takes times apart by ids', () => {
  const { id, createdAt } = newIdentity('delivery');
  const at = Date.parse(createdAt);
  expect([idsSince('delivery', at) <= id, idsSince('delivery', at + 1) <= id]).toEqual([true, false]);
  expect(idsSince('delivery', -5) <= id).toBe(true);
  expect(idsSince('delivery', 2 ** 60) > id).toBe(true);
  expect(memberOf('12 call_1 acc_1 failed')).toBe('call_1 acc_1 failed');
});
