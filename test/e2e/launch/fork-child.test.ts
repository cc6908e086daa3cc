import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { forkChild } from '../../../src/launch/processes/fork-child.ts';
import { startTestRedis } from '../../support/redis/redis.ts';

// A process that starts on a busy machine takes long.
const START_AND_STOP_MS = 60_000;

test('a message to a process on a shared port that has just ended does no harm', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'switchboard-fork-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const module = join(dir, 'program.mjs');
  writeFileSync(module, `process.send('up'); process.on('message', () => undefined);`);
  const child = forkChild({ module, env: process.env, number: 1 });
  await once(child, 'message');
  child.kill('SIGKILL');
  // It ends, and this process cannot notice.
  const until = performance.now() + 500;
  while (performance.now() < until);
  expect(child.connected).toBe(true);
  child.send({});
  await once(child, 'exit');
});

test.each(['src/api/main.js', 'workers/main.js'])(
  '%s stops if it loses its supervisor before it has loaded its modules',
  async (main) => {
    const redis = await startTestRedis();
    onTestFinished(() => redis.stop());
    const module = fileURLToPath(new URL(`../../../dist/${main}`, import.meta.url));
    const settings = { PORT: '0', REDIS_URL: redis.url, SWITCHBOARD_ROOT_KEY: 'root-key-of-the-tests' };
    const child = forkChild({ module, env: { ...process.env, ...settings } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const logs = text(child.stdout as Readable);
    child.disconnect();
    await once(child, 'exit', { signal: AbortSignal.timeout(START_AND_STOP_MS) });
    expect(child.exitCode).toBe(0);
    expect(await logs).toContain('lost supervisor');
  },
);
