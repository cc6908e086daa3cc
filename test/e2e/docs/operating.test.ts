import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { blocksOf } from '../../support/docs/pages.ts';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Checkout } from '../../support/service/checkout.ts';
import { Collector } from '../../support/tracing/collector.ts';

let redis: TestRedis;
let checkout: Checkout;

beforeEach(async () => {
  redis = await startTestRedis();
  checkout = new Checkout();
});

afterEach(async () => {
  checkout.remove();
  await redis.stop();
});

const pairs = blocksOf('docs/deploy/README.md', 'sh').filter((block) => block.includes('REDIS_URL'));

it('docs/deploy/README.md has two ways to start both processes', () => expect(pairs).toHaveLength(2));

it.each(pairs)('an API process and a worker start by the commands %s', async (pair) => {
  const port = String(await findFreePort());
  let printed = '';
  const [key = '', ...commands] = pair.trim().split('\n');
  for (const command of commands) {
    const here = `${key}\n${command}`.replace('redis://127.0.0.1:6379', redis.url);
    const shell = spawn('bash', ['-c', here], {
      cwd: checkout.dir,
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    shell.stdout.on('data', (chunk) => {
      printed += chunk;
    });
  }
  await eventually(() => printed.includes('api listening') && printed.includes('worker is ready'), {
    timeoutMs: 60_000,
  });
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(answer.status).toBe(200);
});

it('the settings of docs/operating.md have every process traced', async () => {
  const collector = await Collector.start();
  const [settings = ''] = blocksOf('docs/operating.md', 'ini');
  writeFileSync(join(checkout.dir, '.env'), settings.replace('http://127.0.0.1:4318', collector.url));
  const started = await checkout.start({ REDIS_URL: redis.url, LOG_FORMAT: 'json' });
  await eventually(() => started.stdout.split('calls are traced').length === 3, { timeoutMs: 60_000 });
  expect(started.stdout).toContain(new URL(collector.url).host);
  started.pressCtrlC();
  await started.exited;
  await collector.stop();
});
