import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mastersOf, openRedis, type RedisConnection, untilReady } from '../../src/redis/connections.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { type Account, Service, type ServiceProcess } from '../support/service/service.ts';

const GRACE_MS = 500;
const TAKEN_OVER_MS = 15_000;
const DELAY_MS = 6_000;
/** Much longer than a worker takes to start. */
const LONG_DELAY_MS = 20_000;

let service: Service;
let redis: RedisConnection;
let slow: Account;

beforeAll(async () => {
  service = await Service.start({ env: { SHUTDOWN_GRACE_MS: String(GRACE_MS), CALL_TIMEOUT_MS: '100000' } });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  slow = await service.anAccount((await service.aWorkspace()).id);
  const faults = [{ method: 'help.getSupport', delayMs: DELAY_MS, count: 10 }];
  await service.ok('PUT', `/v1/messenger-accounts/${slow.id}/sandbox/faults`, { faults });
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** Until workers have so many calls of the slow lane in hand. */
async function untilRunning(count: number): Promise<void> {
  await eventually(async () => (await redis.llen('sb:{queue}:calls-slow:active')) === count);
}

it('an API process that is stopped tells its callers so, once their calls have had the time that is allowed', async () => {
  const api = await service.startApi();
  const exited = once(api.child, 'exit');
  const answer = service.call(slow, 'help.getSupport', {}, { url: api.url });
  await untilRunning(1);
  api.child.kill('SIGTERM');
  expect(await answer).toMatchObject({ status: 503, body: { code: 'shutting_down', retryable: true } });
  expect(await exited).toEqual([0, null]);
});

it('a worker that is stopped leaves what takes longer than that to others', async () => {
  const worker = service.workers.at(-1);
  if (!worker) throw new Error('there is no worker');
  await untilRunning(0);
  let isAnswered = false;
  const answer = service.call(slow, 'help.getSupport', {}).finally(() => {
    isAnswered = true;
  });
  await untilRunning(1);
  const exited = once(worker.child, 'exit');
  worker.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  // It has not waited for the call.
  expect(isAnswered).toBe(false);
  await service.startWorker();
  expect((await answer).status).toBe(200);
});

it('ends while Redis is away', async () => {
  const lonely = await Service.start({ env: { SHUTDOWN_GRACE_MS: String(GRACE_MS) } });
  const children = [...lonely.apis, ...lonely.workers].map(({ child }) => child);
  await lonely.redis.stop();
  const exited = Promise.all(children.map((child) => once(child, 'exit')));
  for (const child of children) child.kill('SIGTERM');
  const codes = (await exited).map(([code]) => code);
  expect(codes.every((code) => code === 0 || code === 1)).toBe(true);
});

it('ends while it cannot go on with its start', async () => {
  const lonely = await Service.start({ workers: 0, env: { SHUTDOWN_GRACE_MS: String(GRACE_MS) } });
  const paused = openRedis(lonely.redis.url, 'worker', () => undefined);
  await untilReady(paused);
  for (const server of mastersOf(paused)) await server.call('CLIENT', 'PAUSE', '600000', 'WRITE');
  const ready = lonely.startWorker().catch((error: Error) => error.message);
  const worker = lonely.spawned.at(-1) as ServiceProcess;
  // The one thing it says before it is ready.
  await eventually(() => worker.logs.some(({ msg }) => String(msg).includes('keeps nothing on disk')));
  const exited = once(worker.child, 'exit');
  worker.child.kill('SIGTERM');
  expect(await exited).toEqual([1, null]);
  expect(await ready).toContain('the process ended');
  paused.disconnect();
  await lonely.stop();
});

/** All that workers have taken from others as interrupted. */
const interrupted = () =>
  service.workers.flatMap(({ logs }) => logs).filter(({ msg }) => msg === 'job was interrupted');

// A machine that stands still for two seconds interrupts every job.
const STEADY = { retry: { count: 2, condition: /interrupted jobs/ } };

it(
  'workers that are stopped one after another take nothing for a call that kills them, and another has it soon',
  STEADY,
  async () => {
    const before = interrupted().length;
    const patient = await service.anAccount((await service.aWorkspace()).id);
    const faults = [{ method: 'help.getSupport', delayMs: LONG_DELAY_MS }];
    await service.ok('PUT', `/v1/messenger-accounts/${patient.id}/sandbox/faults`, { faults });
    const answer = service.call(patient, 'help.getSupport', {});
    await untilRunning(1);
    for (let stops = 0; stops < 4; stops += 1) {
      const last = service.workers.at(-1) as ServiceProcess;
      const next = await service.startWorker();
      for (const worker of service.workers.filter((one) => one !== next)) worker.child.kill('SIGTERM');
      if (last.child.exitCode === null) await once(last.child, 'exit');
      await eventually(() => next.logs.some(({ msg }) => msg === 'job was handed back'), {
        timeoutMs: TAKEN_OVER_MS,
      });
    }
    expect((await answer).status).toBe(200);
    expect(interrupted().slice(before), 'interrupted jobs').toEqual([]);
  },
);

it('answers that go out while an API process stops say that the connection closes', async () => {
  const api = await service.startApi({ SHUTDOWN_GRACE_MS: '20000' });
  const keepAlive = await RawConnection.open(api.url);
  const quick = await service.anAccount(slow.workspaceId);
  const faultsPath = `/v1/messenger-accounts/${quick.id}/sandbox/faults`;
  await service.ok('PUT', faultsPath, { faults: [{ method: 'help.getSupport', delayMs: DELAY_MS }] });
  const path = `/workspaces/${quick.workspaceId}/messenger-accounts/${quick.id}/call/help.getSupport`;
  const lines = [`authorization: Bearer ${service.rootKey}`, 'content-type: application/json'];
  const call = [`POST ${path} HTTP/1.1`, 'host: test', ...lines, 'content-length: 13', '', '{"params":{}}'];
  keepAlive.send(call.join('\r\n'));
  await eventually(async () => (await service.ok('GET', faultsPath)).faults.length === 0);
  api.child.kill('SIGTERM');
  const [answer] = await keepAlive.untilOver();
  expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
});
