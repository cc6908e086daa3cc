import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { getQueueShards } from '../../../src/directory/queue-shards.ts';
import { forkChild } from '../../../src/launch/processes/fork-child.ts';
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
