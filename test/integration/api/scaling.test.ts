import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAsyncTotals, saveAsyncTotals } from '../../../src/async-calls/async-totals.ts';
import type { WorkerFigures } from '../../../src/fleet/figures.ts';
import { countWorkers, leaveFleet, publishFigures, readFleet } from '../../../src/fleet/fleet.ts';
import { holdWanted } from '../../../src/fleet/hold-wanted.ts';
import { Scaling } from '../../../src/fleet/scaling.ts';
import { FLEET_KEY, WANTED_WORKERS_KEY } from '../../../src/redis/keys.ts';
import { readWebhookTotals, saveWebhookTotals } from '../../../src/webhooks/webhook-totals.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const worker: WorkerFigures = {
  kind: 'worker',
  version: '1.2.3',
  host: 'host',
  pid: 7,
  startedAt: 1_700_000_000_000,
  isDraining: false,
  busyShare: 0.25,
  callsPerSecond: 10,
  slowRunning: 1,
  running: 2,
};

const workersNow = async () => {
  await publishFigures(api.redis, 'worker-a', worker);
  await publishFigures(api.redis, 'worker-b', { ...worker, isDraining: true });
};

test('shows the workers that tell how they stand, and metrics tell the same', async () => {
  const { body } = await eventually(async () => {
    await workersNow();
    const answer = await api.request('GET', '/v1/scaling');
    return answer.body.workers.running === 1 && answer;
  });
  expect(body).toMatchObject({
    targetWaitMs: 500,
    desiredWorkers: 1,
    workers: { running: 1, draining: 1, missing: 0, byVersion: { '1.2.3': 2 } },
    busyShare: 0.25,
  });
  expect(body.workerList[0]).toMatchObject({ id: 'worker-a', state: 'running', version: '1.2.3', pid: 7 });
  await eventually(async () => {
    await workersNow();
    const { body: metrics } = await api.request('GET', '/metrics');
    return (
      metrics.includes('switchboard_workers{version="1.2.3"} 2') &&
      metrics.includes('switchboard_workers_draining 1')
    );
  });
});

test('tells how many async calls and deliveries wait, as workers last counted them', async () => {
  const { body: before } = await api.request('GET', '/v1/scaling');
  expect(before.asyncCalls).toEqual({ backlog: 0, oldestMs: 0 });
  expect(before.webhooks).toEqual({ waiting: 0, oldestMs: 0, enabled: 0, disabled: 0, furthestBehind: [] });
  const late = { id: 'wh_1', workspaceId: 'ws_1', waiting: 40, oldestMs: 400_000 };
  const webhooks = { waiting: 40, oldestMs: 400_000, enabled: 2, disabled: 1, furthestBehind: [late] };
  await saveAsyncTotals(api.redis, {
    backlog: 100_000,
    oldestMs: 7_200_000,
    later: 3,
    failed: 2,
    expired: 1,
  });
  await saveWebhookTotals(api.redis, webhooks);
  const { body } = await eventually(async () => {
    await workersNow();
    const answer = await api.request('GET', '/v1/scaling');
    return answer.body.asyncCalls.backlog > 0 && answer.body.webhooks.waiting > 0 && answer;
  });
  expect(body.asyncCalls).toEqual({ backlog: 100_000, oldestMs: 7_200_000 });
  expect(body.webhooks).toEqual(webhooks);
  // They keep workers busy, but nobody waits for them.
  expect(body.desiredWorkers).toBe(1);
});

test('counts the workers that take calls', async () => {
  await workersNow();
  await publishFigures(api.redis, 'worker-c', worker);
  expect(await countWorkers(api.redis)).toBe(2);
  const [at = ''] = (await api.redis.hget(FLEET_KEY, 'worker-c'))?.split(' ') ?? [];
  const longAgo = `${Number(at) - 3_500} ${JSON.stringify(worker)}`;
  await api.redis.hset(FLEET_KEY, 'worker-c', longAgo);
  expect(await countWorkers(api.redis)).toBe(1);
  await leaveFleet(api.redis, 'worker-c');
});

test('asks Redis at most once a second, however many ask', async () => {
  const reads = async () =>
    Number(/cmdstat_hgetall:calls=(\d+)/.exec(await api.redis.info('commandstats'))?.[1] ?? 0);
  const before = await reads();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => api.request('GET', i % 2 === 0 ? '/v1/scaling' : '/metrics')),
  );
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
  expect((await reads()) - before).toBeLessThanOrEqual(seconds + 1);
});

test('answers alike in every process, though only one was asked while more workers were wanted', async () => {
  const settings = {
    redis: api.redis,
    readAsyncCalls: () => readAsyncTotals(api.redis),
    readWebhooks: () => readWebhookTotals(api.redis),
    config: { SCALING_TARGET_WAIT_MS: 500 },
    slowPerWorker: 96,
  };
  const slow = { lane: 'slow', waiting: 100, oldestWaitMs: 0, taken: 0 } as const;
  await eventually(async () => {
    await workersNow();
    const asked = new Scaling({ ...settings, readLanes: async () => [slow] });
    return (await asked.report()).desiredWorkers === 2;
  });
  const other = new Scaling({ ...settings, readLanes: async () => [] });
  expect((await other.report()).desiredWorkers).toBe(2);
  expect(await api.redis.pttl(WANTED_WORKERS_KEY)).toBeGreaterThan(0);
});

test('needs the scope that only the root key gives', async () => {
  const { organizationId } = await api.aTenant();
  const reader = await api.aKey({ organizationId }, ['metrics:read', 'keys:write']);
  expect((await api.request('GET', '/v1/scaling', undefined, { key: reader })).status).toBe(403);
  const key = await api.aKey({ organizationId }, ['operate', 'keys:write']);
  expect((await api.request('GET', '/v1/scaling', undefined, { key })).status).toBe(200);
  const wanted = { name: 'x', scopes: ['operate'], organizationId };
  expect((await api.request('POST', '/v1/api-keys', wanted, { key })).status).toBe(403);
});

test('forgets silent processes though nobody reads, and all when none tells', async () => {
  for (let i = 0; i < 5; i += 1)
    await api.redis.hset(FLEET_KEY, `worker-silent-${i}`, `1000 ${JSON.stringify(worker)}`);
  await eventually(async () => {
    await workersNow();
    return (await api.redis.hkeys(FLEET_KEY)).every((name) => !name.startsWith('worker-silent'));
  });
  expect(await api.redis.pttl(FLEET_KEY)).toBeGreaterThan(0);
});

test('counts nobody who ended before the clock was set back, and forgets them, as well as how many were wanted then', async () => {
  const then = Date.now() + 3_600_000;
  await workersNow();
  await api.redis.hset(FLEET_KEY, 'worker-then', `${then} ${JSON.stringify(worker)}`);
  expect(await countWorkers(api.redis)).toBe(1);
  const { members } = await readFleet(api.redis);
  expect(members.map(({ name }) => name)).not.toContain('worker-then');
  expect(await api.redis.hexists(FLEET_KEY, 'worker-then')).toBe(0);
  await api.redis.hset(FLEET_KEY, 'worker-then', `${then} ${JSON.stringify(worker)}`);
  await eventually(async () => {
    await workersNow();
    return (await api.redis.hexists(FLEET_KEY, 'worker-then')) === 0;
  });
  await api.redis.del(WANTED_WORKERS_KEY);
  await api.redis.zadd(WANTED_WORKERS_KEY, then, '40');
  expect(await holdWanted(api.redis, 3, 60_000)).toBe(3);
});

test('forgets processes that end, and those silent for a minute', async () => {
  await workersNow();
  await api.redis.hset(FLEET_KEY, 'worker-old', `1000 ${JSON.stringify(worker)}`);
  await leaveFleet(api.redis, 'worker-b');
  const { members } = await readFleet(api.redis);
  expect(members.map(({ name }) => name)).toEqual(['worker-a']);
  expect(await api.redis.hexists(FLEET_KEY, 'worker-old')).toBe(0);
});

test('the label of methods has names of the schema only, whatever callers send', async () => {
  const { workspaceId, accountId } = await api.aTenant();
  const call = (method: string) =>
    api.request('POST', `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/${method}`, {
      params: {},
    });
  await call('help.getConfig');
  for (let i = 0; i < 20; i += 1) expect((await call(`made.up${i}`)).status).toBe(404);
  const calls = workspaceCalls(workspaceId, accountId, 'made.upInBulk');
  expect((await api.request('POST', calls.path, calls.body)).status).toBe(200);
  const metrics = await eventually(async () => {
    const { body } = await api.request('GET', '/metrics');
    return body.includes('method="help.getConfig"') && (body as string);
  });
  expect(metrics).not.toContain('made.up');
  expect(metrics).toMatch(
    /switchboard_calls_total\{method="help.getConfig",outcome="\w+",driver="sandbox"\} 1/,
  );
});

function workspaceCalls(workspaceId: string, accountId: string, method: string) {
  return { path: `/workspaces/${workspaceId}/calls`, body: { calls: [{ accountId, method, params: {} }] } };
}
