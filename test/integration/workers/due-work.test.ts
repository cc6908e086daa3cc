import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { DRIVER_WORK, markDue, takeDueWorkspaces } from '../../../src/async-calls/due-workspaces.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import type { ControlOrder, Driver, Method } from '../../../workers/driver.ts';
import { DueWork } from '../../../workers/due-work.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let clock: RedisClock;
beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
  clock = new RedisClock(redis);
  await clock.start();
});
afterEach(() => redis.del(DRIVER_WORK));
afterAll(async () => {
  clock.stop();
  redis.disconnect();
  await server.stop();
});

const noteNow = (workspaceId: string) => markDue(redis, workspaceId, 1, DRIVER_WORK);
const noted = () => redis.zrange(DRIVER_WORK, '0', '-1');

function executorOf(driver: Partial<Driver>): CallExecutor {
  const whole: Driver = {
    name: 'test',
    methods: new Map(),
    orders: new Map(),
    findFault: async () => null,
    ...driver,
  };
  return new CallExecutor({
    state: redis,
    clock,
    drivers: new Map([['test', whole]]),
    wake: (workspaceId, at) => markDue(redis, workspaceId, at, DRIVER_WORK),
    crashFaults: false,
  });
}

function start(order: ControlOrder, log = openLogger({ LOG_LEVEL: 'silent' }, 'test')): DueWork {
  const work = new DueWork({
    redis,
    executor: executorOf({ orders: new Map([['doDueWork', order]]) }),
    clock,
    driver: 'test',
    retention: { touch: () => undefined },
    deliveries: { touch: () => undefined },
    log,
  });
  work.start();
  return work;
}

it('asks the driver to go on without what has failed', async () => {
  const orders: unknown[] = [];
  const workspaceId = newId('workspace');
  await noteNow(workspaceId);
  const work = start(async (payload) => {
    orders.push(payload);
    if (orders.length === 1) throw new Error('It does not work.');
    return { next: null };
  });
  await eventually(async () => (await noted()).length === 0);
  await work.stop();
  expect(orders).toEqual([{}, { hasFailed: true }]);
});

it('looks at others beside a slow workspace, and leaves the rest to other processes once it is stopped', async () => {
  const ids = Array.from({ length: 25 }, () => newId('workspace'));
  for (const id of ids) await noteNow(id);
  const seen = new Set<string>();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = start(async (_payload, { workspaceId }) => {
    seen.add(workspaceId);
    if (seen.size === 1) await released;
    return { next: null };
  });
  await eventually(async () => seen.size > 1 && (await noted()).length < ids.length);
  const stopped = work.stop();
  release();
  await stopped;
  const left = ids.filter((id) => !seen.has(id));
  const { ids: taken } = await takeDueWorkspaces(redis, ids.length, 1_000, DRIVER_WORK);
  expect(taken.sort()).toEqual(left.sort());
  expect(left.length).toBeGreaterThan(0);
});

it('looks again for what was committed after the look that it was noted for', async () => {
  const workspaceId = newId('workspace');
  const method: Method = {
    name: 'messages.sendMessage',
    async run(_params, { wakeAt }) {
      await wakeAt?.(1);
      // Somebody looks now, and finds nothing.
      await redis.del(DRIVER_WORK);
      return { _: 'updatesTooLong' } as never;
    },
  };
  const { status } = await executorOf({ methods: new Map([[method.name, method]]) }).runAlone(
    {
      id: newId('call'),
      number: 0,
      workspaceId,
      account: { id: '', userId: 0, bot: false, strictPeers: false, faults: false },
      driver: 'test',
      method: method.name,
      kind: 'method',
      params: {},
      acceptedAt: clock.now(),
      notAfter: clock.now() + 60_000,
    },
    true,
  );
  expect(status).toBe(200);
  expect(await noted()).toEqual([workspaceId]);
});

it('lets a workspace rest after what has cost much', async () => {
  const begun: number[] = [];
  await noteNow(newId('workspace'));
  const work = start(async (_, { tx, date }) => {
    begun.push(performance.now());
    tx.charactersRead += 100 * 1024 * 1024;
    return { next: begun.length < 4 ? date : null };
  });
  await eventually(() => begun.length === 4);
  await work.stop();
  // Three rests of 32 permits, the most that anything costs.
  expect((begun[3] as number) - (begun[0] as number)).toBeGreaterThan(900);
});

it('lets a workspace rest after what has cost much and failed', async () => {
  const begun: number[] = [];
  await noteNow(newId('workspace'));
  const work = start(async (payload, { tx, date }) => {
    if ('hasFailed' in (payload as object)) return { next: begun.length < 4 ? date : null };
    begun.push(performance.now());
    tx.charactersRead += 100 * 1024 * 1024;
    throw new Error('It does not work.');
  });
  await eventually(() => begun.length === 4);
  await work.stop();
  expect((begun[3] as number) - (begun[0] as number)).toBeGreaterThan(900);
});

it('logs a bounded number of failures of a workspace', async () => {
  const workspaceId = newId('workspace');
  const log = openLogger({ LOG_LEVEL: 'warn' }, 'test');
  const warn = vi.spyOn(log, 'warn').mockReturnValue(undefined);
  let failures = 0;
  const begunAt = performance.now();
  await noteNow(workspaceId);
  const work = start(async (payload, { date }) => {
    if ('hasFailed' in (payload as object)) return { next: failures < 100 ? date : null };
    failures += 1;
    throw new Error('It does not work.');
  }, log);
  await eventually(async () => failures === 100 && (await noted()).length === 0);
  await work.stop();
  const lines = warn.mock.calls.filter(
    ([about]) => (about as { workspaceId?: string }).workspaceId === workspaceId,
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(20 * (1 + Math.ceil((performance.now() - begunAt) / 1_000)));
});

it('goes on after a short rest without waiting for its next look', async () => {
  let steps = 0;
  await noteNow(newId('workspace'));
  const work = start(async (_, { tx, date }) => {
    steps += 1;
    tx.charactersRead += 256 * 1024;
    return { next: date };
  });
  // One look after the other would take half a minute.
  await eventually(() => steps >= 60);
  await work.stop();
});
