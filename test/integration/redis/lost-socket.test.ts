import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { untilReady } from '../../../src/redis/connections.ts';
import { RedisWatch } from '../../../src/redis/redis-watch.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis } from '../../support/redis/redis.ts';

it('a Redis that ends, and removes its Unix socket, is away in one line of the log', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'switchboard-socket-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const socket = join(dir, 'redis.sock');
  const args = ['--unixsocket', socket];
  const before = await startTestRedis({ args });
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line).msg) });
  const watch = new RedisWatch(`redis+unix://${socket}`, log);
  const connections = [watch.open('request'), watch.open('worker')];
  await Promise.all(connections.map(untilReady));
  process.kill(before.pid, 'SIGTERM');
  await eventually(() => !existsSync(socket));
  await before.stop();
  await eventually(() => lines.length > 0);
  // For several attempts.
  await sleep(1_000);
  const after = await startTestRedis({ args });
  await eventually(() => lines.includes('Redis is back'));
  expect(lines).toEqual(['Redis is away: calls wait or fail until it is back', 'Redis is back']);
  for (const redis of connections) redis.disconnect();
  await after.stop();
});
