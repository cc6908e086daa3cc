import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { startTestCluster } from '../../support/redis/redis-cluster.ts';
import { Checkout, type NpmRun } from '../../support/service/checkout.ts';
import { sentences } from '../../support/service/npm-start.ts';
import { RUNS_ON_CLUSTER } from '../../support/service/service.ts';

const KEY = 'a-root-key-of-some-length';

let checkout: Checkout;
let redis: TestRedis;

beforeEach(async () => {
  checkout = new Checkout();
  redis = await (RUNS_ON_CLUSTER ? startTestCluster() : startTestRedis());
});

afterEach(async () => {
  checkout.remove();
  await redis.stop();
});

async function run(script: 'api' | 'worker', env: Record<string, string> = {}): Promise<NpmRun> {
  const started = await checkout.npm(['run', script], {
    ...env,
    REDIS_URL: redis.url,
    SWITCHBOARD_ROOT_KEY: KEY,
  });
  await started.untilPrinted(script === 'api' ? 'listening' : 'worker is ready');
  return started;
}

async function post<T>(api: NpmRun, path: string, body: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${api.port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as T;
}

test('any number of API and worker processes share one Redis, each started on its own', async () => {
  const [api, otherApi, ...workers] = await Promise.all([
    run('api'),
    run('api'),
    run('worker'),
    run('worker'),
  ]);
  const { id: organizationId } = await post<{ id: string }>(api, '/v1/organizations', { name: 'Acme' });
  const { id: workspaceId } = await post<{ id: string }>(api, '/v1/workspaces', {
    name: 'One',
    organizationId,
  });
  const account = { name: 'Ada', workspaceId, driver: 'sandbox' };
  const { id } = await post<{ id: string }>(otherApi, '/v1/messenger-accounts', account);
  const call = `/workspaces/${workspaceId}/messenger-accounts/${id}/call/help.getSupport`;
  const { txid } = await post<{ txid: number }>(api, call, { params: {} });

  workers[0]?.pressCtrlC();
  await workers[0]?.exited;
  const later = await post<{ txid: number }>(otherApi, call, { params: {} });
  expect(later.txid).toBeGreaterThan(txid);

  for (const started of [api, otherApi, workers[1]]) started?.child.kill('SIGTERM');
  await vi.waitFor(() => expect(checkout.processes()).toEqual([]), 20_000);
});

test.skipIf(RUNS_ON_CLUSTER)(
  'an API process and a worker open as many connections as docs/scaling.md says',
  async () => {
    const costs = readFileSync('docs/scaling.md', 'utf8');
    const [, ofApi] = costs.match(/\| an API process \| (\d+) connections/) ?? [];
    const [, ofWorker, ofShard] =
      costs.match(/\| a worker \| (\d+) connections and (\d+) for each shard/) ?? [];
    const own = openRedis(redis.url, 'request', () => undefined);
    await untilReady(own);
    const opened = async () => Number((await own.info('clients')).match(/connected_clients:(\d+)/)?.[1]) - 1;
    const api = await run('api');
    await vi.waitFor(async () => expect(await opened()).toBe(Number(ofApi)), 15_000);
    const worker = await run('worker', { QUEUE_SHARDS: '2' });
    const both = Number(ofApi) + Number(ofWorker) + 2 * Number(ofShard);
    await vi.waitFor(async () => expect(await opened()).toBe(both), 15_000);
    own.disconnect();
    for (const started of [api, worker]) started.child.kill('SIGTERM');
    await vi.waitFor(() => expect(checkout.processes()).toEqual([]), 20_000);
  },
);

test.each(['api', 'worker'])('npm run %s without a Redis to use says so', async (script) => {
  const refused = await checkout.npm(['run', script], {
    SWITCHBOARD_ROOT_KEY: KEY,
  });
  expect(await refused.exited).toBe(1);
  expect(refused.stderr).toContain('REDIS_URL');
  expect(checkout.processes()).toEqual([]);
});

test.each(['api', 'switchboard -- api'])(
  'npm run %s with several processes goes on when nobody reads what it prints',
  async (command) => {
    const settings = { SWITCHBOARD_API_PROCESSES: '2', REDIS_URL: redis.url, SWITCHBOARD_ROOT_KEY: KEY };
    const api = await checkout.npm(['run', ...command.split(' ')], settings);
    await vi.waitFor(() => expect(api.stdout.split('api listening')).toHaveLength(3), 60_000);
    api.child.stdout?.destroy();
    api.child.stderr?.destroy();
    for (let turn = 0; turn < 3; turn++) {
      for (const { pid } of checkout.find('api/main.js')) process.kill(pid, 'SIGKILL');
      await vi.waitFor(
        async () => expect((await fetch(`http://127.0.0.1:${api.port}/livez`)).ok).toBe(true),
        30_000,
      );
    }
    api.pressCtrlC();
    await api.exited;
    await vi.waitFor(() => expect(checkout.processes()).toEqual([]), 20_000);
  },
);

test.each([
  ['api', 'PORT'],
  ['worker', 'WORKER_METRICS_PORT'],
] as const)('an %s whose port is in use names the port and the setting', async (script, setting) => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  const env = { REDIS_URL: redis.url, SWITCHBOARD_ROOT_KEY: KEY, [setting]: String(port) };
  const refused = await checkout.npm(['run', script], env);
  expect(await refused.exited).toBe(1);
  expect(sentences(refused)).toEqual([`Port ${port} is in use; set ${setting} to another one.`]);
  occupant.close();
});
