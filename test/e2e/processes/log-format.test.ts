import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { Checkout } from '../../support/service/checkout.ts';

const PATIENCE = { timeoutMs: 60_000 };

let checkout: Checkout;

beforeEach(() => {
  checkout = new Checkout();
});
afterEach(() => checkout.remove());

test.each([
  ['pretty', /^\[[\d:.]+\] INFO: \[worker\] worker is ready$/m],
  ['auto', /^\{"level":30,.*"part":"worker".*"msg":"worker is ready"\}$/m],
])('npm start logs as LOG_FORMAT=%s says where there is no terminal', async (LOG_FORMAT, line) => {
  const started = await checkout.start({ LOG_FORMAT, NO_COLOR: '1' });
  await started.untilPrinted();
  await eventually(() => line.test(started.stdout), PATIENCE);
});

test('on a terminal its processes log for people, in colours', async () => {
  const port = String(await findFreePort());
  const command = `${process.execPath} src/launch/run.mjs start`;
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|REDIS_URL|LOG_|NO_COLOR|FORCE_COLOR|SWITCHBOARD_)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), PORT: port };
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: checkout.dir, env });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  // Either may be the first to be ready.
  const lines = ['api listening', 'worker is ready'];
  await eventually(() => lines.every((line) => shown.includes(line)), PATIENCE);
  expect(shown).toMatch(/\u001b\[32mINFO\u001b\[39m.*\[worker\] worker is ready/);
  expect(shown).not.toContain('{"level"');
});
