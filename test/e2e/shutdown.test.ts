import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service.ts';

const GRACE_MS = 500;

let service: Service;
let slow: Account;

beforeAll(async () => {
  service = await Service.start({ env: { SHUTDOWN_GRACE_MS: String(GRACE_MS) } });
  slow = await service.anAccount((await service.aWorkspace()).id);
  const faults = [{ method: 'help.getSupport', delayMs: 20_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${slow.id}/sandbox/faults`, { faults });
});

afterAll(() => service.stop());

it('an API process that is stopped tells its callers so, once their calls have had the time that is allowed', async () => {
  const api = await service.startApi();
  const exited = once(api.child, 'exit');
  const answer = service.call(slow, 'help.getSupport', {}, { url: api.url });
  await new Promise((resolve) => setTimeout(resolve, 300));
  api.child.kill('SIGTERM');
  expect(await answer).toMatchObject({ status: 503, body: { code: 'shutting_down', retryable: true } });
  expect(await exited).toEqual([0, null]);
});

it('a worker that is stopped leaves what takes longer than that to others', async () => {
  const worker = service.workers.at(-1);
  if (!worker) throw new Error('there is no worker');
  const answer = service.call(slow, 'help.getSupport', {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  const exited = once(worker.child, 'exit');
  const stoppedAt = performance.now();
  worker.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(performance.now() - stoppedAt).toBeLessThan(10 * GRACE_MS);
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
