import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { slotsScript } from '../../../src/queue/slots-script.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const PAUSE_MS = 60_000;
const WAKE = '{ws}wake';
const [SLOTS, LINE] = ['{ws}slots', '{ws}line'];
const slotsOf = (account: string) => `{ws}slots:${account}`;
const lineOf = (account: string) => `{ws}line:${account}`;

let server: TestRedis;
let redis: RedisConnection;
let subscriber: RedisConnection;
let woken: string[];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  subscriber = openRedis(server.url, 'subscriber', () => undefined);
  await Promise.all([redis, subscriber].map(untilReady));
  await subscriber.ssubscribe(WAKE);
  subscriber.on('smessage', (_channel: string, process: string) => woken.push(process));
});

beforeEach(async () => {
  await redis.flushall();
  woken = [];
});

afterAll(async () => {
  subscriber.disconnect();
  redis.disconnect();
  await server.stop();
});

interface Question {
  process?: string;
  cap?: number;
  /** The accounts and their caps. */
  accounts?: Record<string, number | null>;
  free?: [account: string, call: string][];
  /** Calls by their accounts, with when they were accepted. */
  take?: [account: string, call: string, acceptedAt?: number][];
  endsAt?: number;
  pauseMs?: number;
}

/** Asks once; which calls got a slot. */
async function ask({ process = 'p', cap, accounts = { a: null }, ...more }: Question): Promise<string[]> {
  const { free = [], take = [], endsAt = Date.now() + 60_000, pauseMs = PAUSE_MS } = more;
  const ids = Object.keys(accounts);
  const place = (account: string) => ids.indexOf(account) + 1;
  const keys = [WAKE, SLOTS, LINE, ...ids.flatMap((id) => [slotsOf(id), lineOf(id)])];
  const args = [process, pauseMs, cap ?? '', ids.length, ...Object.values(accounts).map((of) => of ?? '')];
  args.push(free.length, ...free.flatMap(([account, call]) => [place(account), call]));
  args.push(take.length);
  for (const [account, call, acceptedAt = 1_000] of take) args.push(place(account), call, acceptedAt, endsAt);
  const taken = (await slotsScript.run(redis, keys as string[], args)) as number[];
  expect(taken).toHaveLength(take.length);
  return take.filter((_, at) => taken[at] === 1).map(([, call]) => call);
}

const held = async (key: string) => (await redis.zrange(key, '0', '-1')).sort();

it('gives as many slots as the cap of the account says, and no more until one is given back', async () => {
  const accounts = { a: 2 };
  expect(
    await ask({
      accounts,
      take: [
        ['a', 'c1'],
        ['a', 'c2'],
        ['a', 'c3'],
      ],
    }),
  ).toEqual(['c1', 'c2']);
  expect(await held(slotsOf('a'))).toEqual(['c1', 'c2']);
  // Where there is no cap no slot is taken.
  expect(await held(SLOTS)).toEqual([]);
  expect(await ask({ accounts, take: [['a', 'c3']] })).toEqual([]);
  expect(await ask({ accounts, free: [['a', 'c1']], take: [['a', 'c3']] })).toEqual(['c3']);
  expect(await held(slotsOf('a'))).toEqual(['c2', 'c3']);
});

it('takes a slot of the workspace and of the account, or none', async () => {
  const question = { cap: 2, accounts: { a: 1, b: 5 } };
  expect(
    await ask({
      ...question,
      take: [
        ['a', 'a1'],
        ['a', 'a2'],
        ['b', 'b1'],
        ['b', 'b2'],
      ],
    }),
  ).toEqual(['a1', 'b1']);
  expect([await held(SLOTS), await held(slotsOf('a')), await held(slotsOf('b'))]).toEqual([
    ['a1', 'b1'],
    ['a1'],
    ['b1'],
  ]);
  await ask({
    ...question,
    free: [
      ['b', 'b1'],
      ['a', 'a1'],
    ],
  });
  expect(await redis.exists(SLOTS, slotsOf('a'), slotsOf('b'))).toBe(0);
});

it('answers a question that came twice as it did at first: a call keeps the slot that it has', async () => {
  // The connection was cut after Redis had run the question and before its answer arrived, so it was sent again.
  const question: Question = {
    cap: 2,
    accounts: { a: 1, b: null },
    take: [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
      ['b', 'b2'],
    ],
  };
  for (const _ of ['once', 'again']) {
    expect(await ask(question)).toEqual(['a1', 'b1']);
    expect([await held(SLOTS), await held(slotsOf('a'))]).toEqual([['a1', 'b1'], ['a1']]);
  }
});

it('forgets slots of calls that can run no longer, and keeps none for longer than those', async () => {
  const accounts = { a: 1 };
  expect(await ask({ accounts, take: [['a', 'over']], endsAt: Date.now() - 1 })).toEqual(['over']);
  const endsAt = Date.now() + 30_000;
  expect(await ask({ accounts, take: [['a', 'next']], endsAt })).toEqual(['next']);
  expect(Number(await redis.zscore(slotsOf('a'), 'next'))).toBe(endsAt);
  expect(await redis.pexpiretime(slotsOf('a'))).toBe(endsAt);
});

it('leaves to others as many slots as wait with older calls', async () => {
  const accounts = { a: 2 };
  await ask({
    accounts,
    take: [
      ['a', 'x1'],
      ['a', 'x2'],
    ],
  });
  for (const [process, acceptedAt] of [
    ['old', 5],
    ['new', 50],
  ] as const)
    expect(await ask({ accounts, process, take: [['a', process, acceptedAt]] })).toEqual([]);
  expect(await redis.hkeys(lineOf('a'))).toEqual(['old', 'new']);
  // One is free: it is the one's that waits longest.
  expect(await ask({ accounts, free: [['a', 'x1']], take: [['a', 'mine', 20]] })).toEqual([]);
  await eventually(() => woken.length > 0);
  expect(new Set(woken)).toEqual(new Set(['old']));
  expect(await ask({ accounts, process: 'new', take: [['a', 'new', 50]] })).toEqual([]);
  expect(await ask({ accounts, process: 'old', take: [['a', 'old', 5]] })).toEqual(['old']);
  expect(await redis.hkeys(lineOf('a'))).not.toContain('old');
  // The second one is for who comes next, and not for who came last.
  expect(await ask({ accounts, process: 'new', free: [['a', 'x2']], take: [['a', 'new', 50]] })).toEqual([]);
  expect(await ask({ accounts, take: [['a', 'mine', 20]] })).toEqual(['mine']);
});

it('serves by its name who waits with a call of the same moment', async () => {
  const accounts = { a: 1 };
  await ask({ accounts, take: [['a', 'x']] });
  for (const process of ['p2', 'p1']) await ask({ accounts, process, take: [['a', process, 7]] });
  woken = [];
  await ask({ accounts, process: 'other', free: [['a', 'x']] });
  await eventually(() => woken.length > 0);
  expect(woken).toEqual(['p1']);
  expect(await ask({ accounts, process: 'p2', take: [['a', 'p2', 7]] })).toEqual([]);
  expect(await ask({ accounts, process: 'p1', take: [['a', 'p1', 7]] })).toEqual(['p1']);
});

it('notes the oldest call of a process in the line where it waits, and there alone', async () => {
  const question = { cap: 1, accounts: { a: 1, b: 5 } };
  await ask({ ...question, take: [['b', 'x', 1]] });
  const before = Date.now();
  await ask({
    ...question,
    take: [
      ['a', 'y', 30],
      ['b', 'z', 20],
    ],
  });
  const [oldest, again] = ((await redis.hget(LINE, 'p')) ?? '').split(' ').map(Number);
  expect(oldest).toBe(20);
  expect(Math.abs((again ?? 0) - before - PAUSE_MS)).toBeLessThan(10_000);
  expect(await redis.exists(lineOf('a'), lineOf('b'))).toBe(0);
  expect(await redis.pttl(LINE)).toBeGreaterThan(PAUSE_MS / 2);
  await ask(question);
  expect(await redis.exists(LINE)).toBe(0);
});

it('waits in the line of the account where that is full, and not in that of the workspace', async () => {
  const question = { cap: 5, accounts: { a: 1 } };
  await ask({
    ...question,
    take: [
      ['a', 'x'],
      ['a', 'y'],
    ],
  });
  expect([await redis.hkeys(lineOf('a')), await redis.hkeys(LINE)]).toEqual([['p'], []]);
});

it('takes a process for gone that has not asked again when it should have, and others not', async () => {
  const accounts = { a: 1 };
  await redis.hset(lineOf('a'), 'gone', `1 ${Date.now() - 5_000}`);
  expect(await ask({ accounts, take: [['a', 'x', 10]] })).toEqual(['x']);
  expect(await redis.hkeys(lineOf('a'))).toEqual([]);
  await redis.hset(lineOf('a'), 'there', `1 ${Date.now() + 30_000}`);
  expect(await ask({ accounts, free: [['a', 'x']], take: [['a', 'y', 10]] })).toEqual([]);
  expect(await redis.hkeys(lineOf('a'))).toEqual(['there', 'p']);
});

it('takes a process for gone that seems to ask again long after now: the clock was set back', async () => {
  const accounts = { a: 1 };
  await redis.hset(lineOf('a'), 'gone', `1 ${Date.now() + 3_600_000}`);
  expect(await ask({ accounts, take: [['a', 'x', 10]] })).toEqual(['x']);
  expect(await redis.hkeys(lineOf('a'))).toEqual([]);
});

it('keeps a line for as long as anyone in it pauses', async () => {
  const accounts = { a: 1 };
  await ask({ accounts, take: [['a', 'x']] });
  await ask({ accounts, process: 'rarely', take: [['a', 'y', 30]] });
  await ask({ accounts, process: 'often', pauseMs: 400, take: [['a', 'z', 20]] });
  expect(await redis.pttl(lineOf('a'))).toBeGreaterThan(PAUSE_MS / 2);
});

it('wakes nobody where no slot is left, and who waits for the workspace where one is', async () => {
  const question = { cap: 2, accounts: { a: null } };
  await ask({
    ...question,
    take: [
      ['a', 'x'],
      ['a', 'y'],
    ],
  });
  await ask({ ...question, process: 'q', take: [['a', 'z', 3]] });
  await ask({ ...question, take: [['a', 'later', 9]] });
  expect(woken).toEqual([]);
  await ask({ ...question, free: [['a', 'x']] });
  await eventually(() => woken.length > 0);
  expect(woken).toEqual(['q']);
});
