import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forgetDue, isMarkedDue } from '../../../src/async-calls/due-workspaces.ts';
import { viewKey } from '../../../src/directory/records.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { bytesKey, floorKey, updatesKey } from '../../../src/redis/keys.ts';
import { offsetOf } from '../../../src/updates/offset.ts';
import { trimUpdates } from '../../../src/updates/trim-updates.ts';
import { RetentionKeeper } from '../../../workers/retention.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { storeCall } from '../../support/api/async-calls.ts';
import { api, enterWorkspace, path, useUpdateStream, workspaceId } from '../../support/api/update-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { monitorCommands } from '../../support/redis/monitor.ts';

const YEAR = 365 * 86_400_000;
const FILLING = 'x'.repeat(1_000);

useUpdateStream();

/** Appends updates numbered from `from` on and gives the offsets behind them. */
async function append(from: number, count: number): Promise<string[]> {
  const txid = await appendUpdates(
    api.redis,
    workspaceId,
    Array.from({ length: count }, (_, index) => ({ value: { number: from + index, FILLING } })),
  );
  return Array.from({ length: count }, (_, index) => offsetOf(`${txid}-${index + 1}`));
}

/** The numbers behind an offset, page by page. */
async function readFrom(offset: string): Promise<number[]> {
  const found: number[] = [];
  for (let at = offset; ; ) {
    const page = await api.request('GET', `${path}?offset=${at}`);
    if (page.status !== 200) throw new Error(`${page.status} ${page.body.code}`);
    found.push(
      ...page.body.map((entry: { update: { value: { number: number } } }) => entry.update.value.number),
    );
    at = page.headers.get('stream-next-offset') as string;
    if (page.headers.get('stream-up-to-date') === 'true') return found;
  }
}

test('by age: what is older goes, and whoever has read exactly that far has missed nothing', async () => {
  const old = await append(0, 5);
  await sleep(3_000);
  const young = await append(5, 5);
  expect(await trimUpdates(api.redis, workspaceId, { maxAgeMs: 2_000, maxCount: 1_000 })).toBe(5);
  const [lastOld, beforeLast] = [old[4] as string, old[3] as string];
  for (const live of ['', '&live=long-poll', '&live=sse']) {
    const answer = await api.request('GET', `${path}?offset=${beforeLast}${live}`);
    expect(answer).toMatchObject({ status: 410, body: { code: 'offset_gone', earliestOffset: lastOld } });
    expect(answer.headers.get('stream-earliest-offset')).toBe(lastOld);
  }
  expect(await readFrom(lastOld)).toEqual([5, 6, 7, 8, 9]);
  expect(await readFrom('-1')).toEqual([5, 6, 7, 8, 9]);
  expect(await readFrom(young[3] as string)).toEqual([9]);
});

test('by age: all of it may go, and the reader at the end goes on', async () => {
  const offsets = await append(0, 3);
  await sleep(50);
  expect(await trimUpdates(api.redis, workspaceId, { maxAgeMs: 20, maxCount: 1_000 })).toBe(3);
  expect(await api.redis.xlen(updatesKey(workspaceId))).toBe(0);
  expect(await readFrom(offsets[2] as string)).toEqual([]);
  expect(await readFrom('-1')).toEqual([]);
  await append(3, 1);
  expect(await readFrom(offsets[2] as string)).toEqual([3]);
  await expect(readFrom(offsets[1] as string)).rejects.toThrow('410 offset_gone');
});

test('by age: a stream of which nothing is old is not gone through', async () => {
  await append(0, 50);
  await api.redis.config('RESETSTAT');
  expect(await trimUpdates(api.redis, workspaceId, { maxAgeMs: YEAR, maxCount: 1_000 })).toBe(0);
  const commands = await api.redis.info('commandstats');
  expect(commands).toContain('cmdstat_xrange:');
  expect(commands).not.toContain('cmdstat_xrevrange:');
});

test('by count: a reader that lags behind is told so, and never skips silently', async () => {
  const retention = { maxAgeMs: YEAR, maxCount: 300 };
  const seen: number[] = [];
  let [at = ''] = await append(0, 1);
  let next = 1;
  let gaps = 0;
  // The reader takes one page of the protocol in the time in which ever more comes in.
  for (let round = 0; round < 30; round++) {
    for (let burst = 0; burst <= round % 7; burst++) {
      await append(next, 80);
      next += 80;
      await trimUpdates(api.redis, workspaceId, retention);
    }
    const page = await api.request('GET', `${path}?offset=${at}`);
    if (page.status === 410) {
      gaps += 1;
      at = page.body.earliestOffset;
      seen.length = 0;
      continue;
    }
    for (const { update } of page.body) {
      if (seen.length > 0) expect(update.value.number).toBe((seen.at(-1) as number) + 1);
      seen.push(update.value.number);
    }
    at = page.headers.get('stream-next-offset') as string;
  }
  expect(gaps).toBeGreaterThan(2);
  const held = await readFrom('-1');
  expect(held.length).toBeGreaterThanOrEqual(300);
  expect(held.length).toBeLessThan(400);
  expect(held).toEqual(Array.from({ length: held.length }, (_, index) => next - held.length + index));
});

test('an offset beyond the end is gone too, and nothing is left behind in a workspace without updates', async () => {
  await append(0, 1);
  await expect(readFrom('9007199254740991_0000000000000001')).rejects.toThrow('410 offset_gone');
  const { workspaceId: empty } = await api.aTenant();
  expect(await trimUpdates(api.redis, empty, { maxAgeMs: 1, maxCount: 1 })).toBe(0);
  expect(await api.redis.exists(floorKey(empty))).toBe(0);
});

test('the keeper trims all other workspaces when it cannot trim one', async () => {
  const broken = workspaceId;
  await api.redis.set(updatesKey(broken), 'no stream');
  await enterWorkspace();
  await append(0, 400);
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const keeper = new RetentionKeeper(api.redis, { maxAgeMs: YEAR, maxCount: 10 }, log);
  for (const id of [broken, workspaceId]) keeper.touch(id);
  keeper.start({ trimEveryMs: 20, sweepEveryMs: 60_000 });
  await eventually(async () => (await api.redis.xlen(updatesKey(workspaceId))) < 100);
  keeper.stop();
});

test('the keeper trims where calls were run at once, and everywhere in time', async () => {
  const quiet = workspaceId;
  await append(0, 400);
  await enterWorkspace();
  await append(0, 400);
  const log = openLogger(api.deps.config, 'test');
  const keeper = new RetentionKeeper(api.redis, { maxAgeMs: YEAR, maxCount: 10 }, log);
  keeper.touch(workspaceId);
  const length = (id: string) => api.redis.xlen(updatesKey(id));
  keeper.start({ trimEveryMs: 20, sweepEveryMs: 3_000 });
  await eventually(async () => (await length(workspaceId)) < 100);
  expect(await length(quiet)).toBe(400);
  await eventually(async () => (await length(quiet)) < 100);
  keeper.stop();
});

test('the sweep restores the lost mark of a workspace with async calls, and marks no other', async () => {
  const idle = workspaceId;
  await enterWorkspace();
  await storeCall(api.redis, { organizationId: 'org_1', workspaceId, accountId: 'acc_1' });
  await forgetDue(api.redis, workspaceId);
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const keeper = new RetentionKeeper(api.redis, { maxAgeMs: YEAR, maxCount: 10 }, log);
  keeper.start({ trimEveryMs: 20, sweepEveryMs: 100 });
  await eventually(() => isMarkedDue(api.redis, workspaceId));
  // Another sweep, so that the first one has gone through all workspaces.
  await forgetDue(api.redis, workspaceId);
  await eventually(() => isMarkedDue(api.redis, workspaceId));
  keeper.stop();
  expect(await isMarkedDue(api.redis, idle)).toBe(false);
});

test('of idle workspaces, the sweep measures those that nobody has measured for a quarter of an hour', async () => {
  const minutes = async (id: string, ago: number) => {
    await api.redis.hset(bytesKey(id), 'measuredAt', Date.now() - ago * 60_000);
  };
  const agoOf = async (id: string) => Date.now() - Number(await api.redis.hget(bytesKey(id), 'measuredAt'));
  const isMeasured = async (id: string) => (await agoOf(id)) < 30_000;
  const idle = workspaceId;
  await enterWorkspace();
  const old = workspaceId;
  await enterWorkspace();
  const busy = workspaceId;
  await minutes(idle, 5);
  await minutes(old, 16);
  await minutes(busy, 5);
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const keeper = new RetentionKeeper(api.redis, { maxAgeMs: YEAR, maxCount: 10 }, log);
  keeper.touch(busy);
  keeper.start({ trimEveryMs: 200, sweepEveryMs: 50 });
  await eventually(async () => (await isMeasured(old)) && (await isMeasured(busy)));
  // Another sweep, so that the first one has gone through all workspaces.
  await minutes(old, 16);
  await eventually(() => isMeasured(old));
  keeper.stop();
  expect(await isMeasured(idle)).toBe(false);
});

test('the keeper repeats a sweep that has failed', async () => {
  await append(0, 400);
  let failedAt: number | undefined;
  const redis = new Proxy(api.redis, {
    get(target, name) {
      const value = Reflect.get(target, name);
      return (key: string, ...args: unknown[]) => {
        if (name !== 'zrange' || key !== viewKey('workspaces', 'all') || failedAt !== undefined)
          return value.call(target, key, ...args);
        failedAt = performance.now();
        return Promise.reject(new Error('the connection was cut'));
      };
    },
  });
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const keeper = new RetentionKeeper(redis, { maxAgeMs: YEAR, maxCount: 10 }, log);
  // The next one would come four to six seconds after it.
  keeper.start({ trimEveryMs: 20, sweepEveryMs: 5_000 });
  await eventually(async () => (await api.redis.xlen(updatesKey(workspaceId))) < 100);
  keeper.stop();
  expect(performance.now() - (failedAt ?? 0)).toBeLessThan(3_900);
});

test('the keeper makes up for the sweeps that it missed with one', async () => {
  /** When each began, in seconds. */
  const sweeps: number[] = [];
  const list = viewKey('workspaces', 'all');
  const watching = await monitorCommands(api.server.port, ([command = '', key = ''], line) => {
    if (command === 'zrange' && key === list) sweeps.push(Number.parseFloat(line.replace('+', '')));
  });
  const redis = openRedis(api.server.url, 'worker', () => undefined);
  await untilReady(redis);
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const keeper = new RetentionKeeper(redis, { maxAgeMs: YEAR, maxCount: 10 }, log);
  await api.redis.client('PAUSE', 2_000, 'ALL');
  keeper.touch(workspaceId);
  keeper.start({ trimEveryMs: 10, sweepEveryMs: 300 });
  await eventually(() => sweeps.length >= 3);
  keeper.stop();
  const [first, second, third] = sweeps as [number, number, number];
  expect(Math.min(second - first, third - second)).toBeGreaterThan(0.2);
  redis.disconnect();
  watching.destroy();
});
