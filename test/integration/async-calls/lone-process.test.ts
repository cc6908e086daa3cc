import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import { changeControl, SETTINGS } from '../../../src/control/change-control.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { redis, server, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

const MODULE = fileURLToPath(new URL('../../../dist/workers/async-calls/lone-main.js', import.meta.url));

it('a process for one call follows what operators set: which calls are logged as slow', async () => {
  const accountId = newId('messengerAccount');
  const account = { id: accountId, workspaceId: ws, driver: 'sandbox', userId: 1 };
  await redis.hset(recordsKey('messenger-accounts'), accountId, JSON.stringify(account));
  const env = { ...process.env, REDIS_URL: server.url, LOG_FORMAT: 'json', SLOW_CALL_MS: '600000' };
  const child = fork(MODULE, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [lines, reports] = ['', 0];
  child.stdout?.on('data', (chunk) => {
    lines += chunk;
  });
  child.on('message', () => {
    reports += 1;
  });
  // A process that starts on a busy machine takes long.
  await eventually(() => reports === 1, { timeoutMs: 60_000 });
  const run = async () => {
    const id = newId('call');
    const times = { createdAt: Date.now(), scheduleAt: null, expiresAt: Date.now() + 60_000 };
    const call = { id, workspaceId: ws, organizationId: 'org_1', messengerAccountId: accountId, ...times };
    const params = { id: [{ _: 'inputUserEmpty' }] };
    const what = { method: 'users.getUsers', params, seed: id, replayOf: null };
    await acceptCall(redis, { ...call, ...what }, null, { openMax: 1_000, bytesMax: 2 ** 30 });
    const before = reports;
    child.send({ workspaceId: ws, callId: id, accountId });
    await eventually(() => reports > before);
  };
  await run();
  expect(lines).not.toMatch(/call (was slow|failed)/);
  await changeControl(redis, { key: SETTINGS, field: 'all', max: 1 }, () => ({
    value: { slowCallMs: 1 },
    change: {
      by: { id: null, name: 'root key' },
      action: 'set',
      target: { kind: 'settings', id: 'settings' },
      from: null,
      to: { slowCallMs: 1 },
    },
    resumes: false,
  }));
  await eventually(async () => {
    await run();
    return lines.includes('call was slow');
  });
});
