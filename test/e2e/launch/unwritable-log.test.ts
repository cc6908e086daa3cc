import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { server, useRedis } from '../../support/redis/commits.ts';

useRedis();

const MODULE = fileURLToPath(new URL('../../../dist/workers/main.js', import.meta.url));

// A process that starts on a busy machine takes long.
const PATIENCE = { timeoutMs: 60_000 };

test.each(['json', 'pretty'])(
  'a worker takes calls, and stops in order, though its disk has no room for its log (%s)',
  async (LOG_FORMAT) => {
    const port = await findFreePort();
    const settings = { REDIS_URL: server.url, WORKER_METRICS_PORT: String(port), LOG_FORMAT };
    const worker = spawn(process.execPath, [MODULE], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    });
    onTestFinished(() => void worker.kill('SIGKILL'));
    const exited = once(worker, 'exit');
    const isAlive = () =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(() => worker.exitCode !== null || isAlive(), PATIENCE);
    worker.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
