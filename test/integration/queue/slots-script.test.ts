import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ACCOUNT_FULL, slotsScript, TAKEN } from '../../../src/queue/slots-script.ts';
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
  /** Calls by their accounts, with when they were accepted, and when the turn of their account began. */
  take?: [account: string, call: string, acceptedAt?: number, turn?: number][];
  endsAt?: number;
  pauseMs?: number;
}

/** Asks once; which calls got a slot. */
async function ask(question: Question): Promise<string[]> {
  const results = await resultsOf(question);
  return (question.take ?? []).filter((_, at) => results[at] === TAKEN).map(([, call]) => call);
}

async function resultsOf({ process = 'p', cap, accounts = { a: null }, ...more }: Question) {
  const { free = [], take = [], endsAt = Date.now() + 60_000, pauseMs = PAUSE_MS } = more;
  const ids = Object.keys(accounts);
  const place = (account: string) => ids.indexOf(account) + 1;
  const keys = [WAKE, SLOTS, LINE, ...ids.flatMap((id) => [slotsOf(id), lineOf(id)])];
  const args = [process, pauseMs, cap ?? '', ids.length, ...Object.values(accounts).map((of) => of ?? '')];
  args.push(free.length, ...free.flatMap(([account, call]) => [place(account), call]));
  args.push(take.length);
  for (const [account, call, acceptedAt = 1_000, turn = acceptedAt] of take)
    args.push(place(account), call, acceptedAt, turn, endsAt);
  const results = (await slotsScript.run(redis, keys as string[], args)) as number[];
  expect(results).toHaveLength(take.length);
  return results;
}

const of = (account: string, ...calls: string[]) => calls.map((call): [string, string] => [account, call]);

const held = async (key: string) => (await redis.zrange(key, '0', '-1')).sort();

it('gives as many slots as the cap of the account says, and no more until one is given back', async () => {
  const accounts = { a: 2 };
  expect(
    await ask({
      accounts,
      take: of('a', 'c1', 'c2', 'c3'),
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
      take: [...of('a', 'a1', 'a2'), ...of('b', 'b1', 'b2')],
    }),
  ).toEqual(['a1', 'b1']);
  expect([await held(SLOTS), await held(slotsOf('a')), await held(slotsOf('b'))]).toEqual([
    ['a1', 'b1'],
    ['a1'],
    ['b1'],
  ]);
  await ask({
    ...question,
    free: [...of('b', 'b1'), ...of('a', 'a1')],
  });
  expect(await redis.exists(SLOTS, slotsOf('a'), slotsOf('b'))).toBe(0);
});

it('answers a question that came twice as it did at first: a call keeps the slot that it has', async () => {
  // The connection was cut after Redis had run the question and before its answer arrived, so it was sent again.
  const question: Question = {
    cap: 2,
    accounts: { a: 1, b: null },
    take: [...of('a', 'a1', 'a2'), ...of('b', 'b1', 'b2')],
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
    take: of('a', 'x1', 'x2'),
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
  expect(new Set(woken)).toEqual(new Set(['old a']));
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
  expect(woken).toEqual(['p1 a']);
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
    take: of('a', 'x', 'y'),
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
    take: of('a', 'x', 'y'),
  });
  await ask({ ...question, process: 'q', take: [['a', 'z', 3]] });
  await ask({ ...question, take: [['a', 'later', 9]] });
  expect(woken).toEqual([]);
  await ask({ ...question, free: [['a', 'x']] });
  await eventually(() => woken.length > 0);
  expect(woken).toEqual(['q']);
});

it('says whether it is the account or the workspace that has no slot', async () => {
  const question: Question = {
    cap: 2,
    accounts: { a: 1, b: null },
    take: [...of('a', 'a1', 'a2'), ...of('b', 'b1', 'b2')],
  };
  expect(await resultsOf(question)).toEqual([TAKEN, ACCOUNT_FULL, TAKEN, -1]);
});

it('gives a slot of the workspace to the account whose turn began first', async () => {
  const a = { cap: 1, accounts: { a: null } };
  const b = { cap: 1, accounts: { b: null }, process: 'q' };
  await ask({ ...a, take: [['a', 'x']] });
  await ask({ ...b, take: [['b', 'z', 30, 40]] });
  expect(await ask({ ...a, free: [['a', 'x']], take: [['a', 'y', 10, 50]] })).toEqual([]);
  expect(await ask({ ...b, take: [['b', 'z', 30, 40]] })).toEqual(['z']);
});

it('gives a slot of an account to the call that came first', async () => {
  const question: Question = { cap: 5, accounts: { a: 1 } };
  await ask({ ...question, take: [['a', 'x']] });
  await ask({ ...question, process: 'q', take: [['a', 'z', 30, 40]] });
  expect(await ask({ ...question, free: [['a', 'x']], take: [['a', 'y', 31, 35]] })).toEqual([]);
  expect(await ask({ ...question, take: [['a', 'y', 29, 50]] })).toEqual(['y']);
});

it('leaves the next slot to another account once one has had its turn', async () => {
  const question: Question = { cap: 2, accounts: { a: null } };
  await ask({
    ...question,
    take: [
      ['a', 'x', 1],
      ['a', 'y', 1],
    ],
  });
  await ask({ ...question, accounts: { b: null }, process: 'q', take: [['b', 'z', 9]] });
  const taken = await ask({
    ...question,
    free: of('a', 'x', 'y'),
    take: [
      ['a', 'v', 3],
      ['a', 'w', 3],
    ],
  });
  expect(taken).toEqual(['v']);
  await eventually(() => woken.includes('q'));
  expect(await ask({ ...question, accounts: { b: null }, process: 'q', take: [['b', 'z', 9]] })).toEqual([
    'z',
  ]);
});

it('wakes who waits for the slot of an account, though who gives it back knows of no cap', async () => {
  await ask({ accounts: { a: 1 }, take: [['a', 'x']] });
  await ask({ accounts: { a: 1 }, process: 'q', take: [['a', 'y']] });
  await ask({ accounts: { a: null }, free: [['a', 'x']] });
  await eventually(() => woken.length > 0);
  expect(woken).toEqual(['q a']);
});
