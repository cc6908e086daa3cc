import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let redis: RedisConnection;
let account: Account;

beforeAll(async () => {
  service = await Service.start({ env: { CALL_TIMEOUT_MS: '3000' } });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  account = await service.anAccount((await service.aWorkspace()).id);
  service.workers[0]?.child.kill('SIGKILL');
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

const jobs = () => redis.llen('sb:{queue}:calls-shared:wait');

it('while no worker is there, calls end as timed out and leave no jobs behind', async () => {
  const answers = await Promise.all(
    // As many connections as the system takes in at once. Nobody knows yet how large the answers of the read are.
    Array.from({ length: 450 }, (_, number) =>
      number % 2 === 0
        ? service.call(account, 'help.getSupport', {})
        : service.call(account, 'account.updateStatus', { offline: true }),
    ),
  );
  const codes = new Set(answers.map(({ status, body }) => `${status} ${body.code}`));
  // Those that a busy machine sends late are refused, as nothing has been answered for long.
  codes.delete('503 overloaded');
  expect([...codes]).toEqual(['504 call_timeout']);
  await eventually(async () => (await jobs()) === 0);
});

it('and say so, as do the readiness and the log', async () => {
  const ready = async () => (await service.request('GET', '/readyz')).body.checks.workers;
  await eventually(async () => (await ready()) === 'none');
  expect((await service.request('GET', '/readyz')).status).toBe(200);
  const { body } = await service.call(account, 'help.getSupport', {});
  expect(body).toMatchObject({ code: 'call_timeout', detail: expect.stringContaining('npm run worker') });
  const logs = service.apis[0]?.logs ?? [];
  expect(logs.filter(({ msg }) => /^no worker answers: .*npm run worker/.test(String(msg)))).toHaveLength(1);
});

it('nor do calls whose callers go away', async () => {
  const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/help.getSupport`;
  // Nothing else takes its jobs away before the test is over.
  const { url } = await service.startApi({ CALL_TIMEOUT_MS: '600000' });
  const callers = new AbortController();
  const gone = Array.from({ length: 100 }, () =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.rootKey}`, 'content-type': 'application/json' },
      body: '{"params":{}}',
      signal: callers.signal,
    }).catch(() => null),
  );
  await eventually(async () => (await jobs()) > 0);
  callers.abort();
  await Promise.all(gone);
  await eventually(async () => (await jobs()) === 0);
  await service.startWorker();
  await eventually(async () => (await service.call(account, 'help.getSupport', {})).status === 200);
  await eventually(async () => (await service.request('GET', '/readyz')).body.checks.workers === 'ok');
});
