import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { getQueueShards } from '../../../src/directory/queue-shards.ts';
import { forkChild } from '../../../src/launch/processes/fork-child.ts';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { redis, server, useRedis } from '../../support/redis/commits.ts';

useRedis();

const MODULE = fileURLToPath(new URL('../../../dist/workers/main.js', import.meta.url));

// A process that starts on a busy machine takes long.
const START_MS = 60_000;

test('a worker whose metrics port is in use ends before it has taken any call', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  // It says so when it takes calls from more queues than others do.
  const settings = { REDIS_URL: server.url, WORKER_METRICS_PORT: String(port), QUEUE_SHARDS: '2' };
  const worker = forkChild({ module: MODULE, env: { ...process.env, ...settings } });
  onTestFinished(() => void worker.kill('SIGKILL'));
  await once(worker, 'exit', { signal: AbortSignal.timeout(START_MS) });
  expect(worker.exitCode).toBe(1);
  expect(await getQueueShards(redis)).toBe(1);
});

test('the metrics of a worker, which need no key, count losses of Redis data: the keys may be lost with it', async () => {
  const port = await findFreePort();
  const settings = { REDIS_URL: server.url, WORKER_METRICS_PORT: String(port) };
  const worker = forkChild({ module: MODULE, env: { ...process.env, ...settings } });
  onTestFinished(() => void worker.kill('SIGKILL'));
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    return answer?.ok ? answer.text() : '';
  };
  await eventually(async () => (await read('/livez')) !== '', { timeoutMs: START_MS });
  expect(await read('/metrics')).toMatch(/^switchboard_redis_data_lost_total 0$/m);
  await redis.flushall();
  await eventually(async () => /^switchboard_redis_data_lost_total 1$/m.test(await read('/metrics')));
});
