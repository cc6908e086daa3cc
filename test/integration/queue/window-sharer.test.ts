import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { DIRECTORY_VERSION, DirectoryWatch } from '../../../src/directory/directory-watch.ts';
import type { Freshness } from '../../../src/directory/lookup-cache.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { Backlog } from '../../../src/queue/submit/window/backlog.ts';
import { WindowSharer } from '../../../src/queue/submit/window/window-sharer.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { backlogsKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const WINDOW = 384;

interface Call {
  workspaceId: string;
  bytes: number;
  state: string;
  permits: number;
}

let server: TestRedis;
let redis: RedisConnection;
let watch: DirectoryWatch;
let sharers: WindowSharer[];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
  watch = new DirectoryWatch(redis);
});

afterAll(async () => {
  watch.stop();
  redis.disconnect();
  await server.stop();
});

beforeEach(async () => {
  await redis.flushall();
  sharers = [];
});

afterEach(() => Promise.all(sharers.map((sharer) => sharer.stop())));

async function redisNow(): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

function aProcess(processName: string, freshness: Freshness = watch): Backlog<Call> {
  return aSharer(processName, freshness).backlog;
}

function aSharer(processName: string, freshness: Freshness = watch) {
  const backlog = new Backlog<Call>(WINDOW);
  const sharer = new WindowSharer(
    { redis, processName, shard: 0, freshness, workers: { count: 1 } },
    backlog,
  );
  sharers.push(sharer);
  sharer.start();
  return { backlog, sharer };
}

function push(backlog: Backlog<Call>, workspaceId: string, count: number): void {
  for (let n = 0; n < count; n += 1) backlog.push({ workspaceId, bytes: 1, state: 'queued', permits: 1 });
}

async function aWorkspace(weight: number): Promise<string> {
  const id = newId('workspace');
  await redis.hset(recordsKey('workspaces'), id, JSON.stringify({ id, weight }));
  return id;
}

it('divides the window among processes by the weights of what they hold', async () => {
  const processes = ['p1', 'p2', 'p3'].map((name) => aProcess(name));
  const workspaceIds = await Promise.all([3, 2, 1].map(aWorkspace));
  for (const [index, backlog] of processes.entries()) push(backlog, workspaceIds[index] as string, 1_000);
  await eventually(() => String(processes.map(({ permits }) => permits)) === '192,128,64');
  const taken = processes.map((backlog) => backlog.take({ permits: 1_000, bytes: 1_000 }).length);
  expect(taken).toEqual([192, 128, 64]);
});

it('makes the window smaller for all processes while they get few answers, and larger again', async () => {
  const [one, two] = [aSharer('p1'), aSharer('p2')];
  push(one.backlog, await aWorkspace(1), 1_000);
  push(two.backlog, await aWorkspace(1), 1_000);
  await eventually(() => one.backlog.permits === 192 && two.backlog.permits === 192);
  await eventually(() => {
    one.sharer.noteAnswer(1);
    two.sharer.noteAnswer(1);
    return one.backlog.window === 40 && two.backlog.window === 40;
  });
  expect([one.backlog.permits, two.backlog.permits]).toEqual([20, 20]);
  await eventually(() => {
    for (let n = 0; n < 2_000; n += 1) one.sharer.noteAnswer(1);
    return one.backlog.window === 384 && two.backlog.window === 384;
  });
});

it('has a permit for each workspace however slowly calls are answered, also for more than it tells of', async () => {
  const { backlog, sharer } = aSharer('p1', { isFresh: () => true });
  for (let n = 0; n < 500; n += 1) push(backlog, `w${n}`, 1);
  const told = new Set<string>();
  await eventually(async () => {
    sharer.noteAnswer(1);
    const said = await redis.hget(backlogsKey(0), 'p1');
    if (said?.includes('"answerRate":null') === false) told.add(said);
    // Before it tells for the second time, it has divided the window by what it told first.
    return told.size === 2;
  });
  expect(backlog.window).toBe(384);
});

it('sees a weight that is changed within a second or so', async () => {
  const [one, two] = ['p1', 'p2'].map((name) => aProcess(name)) as [Backlog<Call>, Backlog<Call>];
  const [first, second] = await Promise.all([aWorkspace(1), aWorkspace(1)]);
  push(one, first, 1_000);
  push(two, second, 1_000);
  await eventually(() => one.permits === 192 && two.permits === 192);
  await redis.hset(recordsKey('workspaces'), first, JSON.stringify({ id: first, weight: 3 }));
  await redis.set(DIRECTORY_VERSION, 'another');
  await eventually(() => one.permits === 288 && two.permits === 96);
});

it('reads no weight again while it holds', async () => {
  const [one, two] = ['p1', 'p2'].map((name) =>
    aProcess(name, { isFresh: (askedAt) => askedAt > Number.NEGATIVE_INFINITY }),
  ) as [Backlog<Call>, Backlog<Call>];
  push(one, await aWorkspace(3), 1_000);
  push(two, await aWorkspace(1), 1_000);
  await eventually(() => one.permits === 288 && two.permits === 96);
  await redis.config('RESETSTAT');
  await new Promise((resolve) => setTimeout(resolve, 600));
  const commands = await redis.info('commandstats');
  expect(commands).toContain('cmdstat_evalsha');
  expect(commands).not.toContain('cmdstat_hmget');
});

it('gives the part of a process that is gone to the others', async () => {
  const backlog = aProcess('p1');
  const workspaceId = await aWorkspace(1);
  push(backlog, workspaceId, 1_000);
  // What a process says that ends without a word.
  const said = JSON.stringify({ restWeight: 0, answerRate: null, held: [[newId('workspace'), 1, 1_000]] });
  await eventually(async () => {
    const goodUntil = (await redisNow()) + 1_500;
    const foreign = `${goodUntil} of another release`;
    await redis.hset(backlogsKey(0), { dead: `${goodUntil} ${said}`, foreign, odd: 'nonsense' });
    return backlog.permits === 192;
  });
  await eventually(() => backlog.permits === 384);
  expect(await redis.hkeys(backlogsKey(0))).toEqual(['p1']);
});

it('gives the part of a process that ended before Redis had its clock set back to the others', async () => {
  const backlog = aProcess('p1');
  push(backlog, await aWorkspace(1), 1_000);
  const said = { restWeight: 0, answerRate: null, held: [[newId('workspace'), 1, 1_000]] };
  await redis.hset(backlogsKey(0), 'dead', `${(await redisNow()) + 3_600_000} ${JSON.stringify(said)}`);
  await eventually(() => backlog.permits === 384);
  await eventually(async () => (await redis.hkeys(backlogsKey(0))).join() === 'p1');
  expect(backlog.permits).toBe(384);
});

it('takes back what it has said when it stops', async () => {
  const { backlog, sharer } = aSharer('p1');
  push(backlog, await aWorkspace(1), 1);
  await eventually(async () => (await redis.exists(backlogsKey(0))) === 1);
  await sharer.stop();
  expect(await redis.exists(backlogsKey(0))).toBe(0);
});

it('says nothing while there is nothing to say, and takes back what it has said', async () => {
  const backlog = aProcess('p1');
  const workspaceId = await aWorkspace(1);
  push(backlog, workspaceId, 1);
  await eventually(async () => (await redis.hkeys(backlogsKey(0))).length === 1);
  expect(backlog.take({ permits: 1, bytes: 1 })).toHaveLength(1);
  await redis.config('RESETSTAT');
  backlog.release({ workspaceId, bytes: 1, state: 'sent', permits: 1 });
  // It does not leave that to the expiry.
  await eventually(async () => /cmdstat_hdel/.test(await redis.info('commandstats')));
  expect(await redis.exists(backlogsKey(0))).toBe(0);
  await redis.config('RESETSTAT');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await redis.info('commandstats')).not.toMatch(/cmdstat_evalsha/);
});
