import { afterAll, beforeAll, expect, it } from 'vitest';
import { Heartbeat, WORKERS } from '../../../src/directory/heartbeat.ts';
import type { Logger } from '../../../src/logger.ts';
import { WorkerWatch } from '../../../src/queue/submit/worker-watch.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'request', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('says once that no worker has answered for some seconds, and once that one does again', async () => {
  const said: string[] = [];
  const note = (line: string) => said.push(line);
  const log = { warn: note, info: note } as unknown as Logger;
  const watch = new WorkerWatch(redis, log);
  const worker = new Heartbeat(redis, WORKERS, log);
  watch.start();
  try {
    await eventually(() => watch.isMissing, { timeoutMs: 30_000 });
    // One look more, which has nothing to say.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await worker.start();
    await eventually(() => !watch.isMissing, { timeoutMs: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(said).toEqual([expect.stringMatching(/^no worker answers: /), 'a worker answers again']);
  } finally {
    watch.stop();
    await worker.stop();
  }
});
