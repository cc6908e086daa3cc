import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Account, type Answer, Service } from '../support/service/service.ts';
import { slowWorkers } from '../support/service/slow-workers.ts';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await Service.start({
    env: { CALL_BYTES_IN_FLIGHT_MAX: String(1024 * 1024), ADMISSION_MAX_WAIT_MS: '1000', ...slowWorkers(5) },
  });
  account = await service.anAccount((await service.aWorkspace()).id);
  const faults = [{ method: 'upload.saveFilePart', delayMs: 10_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
});

afterAll(() => service.stop());

it('refuses a call at once when the bodies under way weigh too much, and takes it again later', async () => {
  const bytes = Buffer.alloc(450 * 1024).toString('base64');
  const save = (fileId: string) =>
    service.call(account, 'upload.saveFilePart', { fileId, filePart: 0, bytes });
  const first = save('1');
  await eventually(async () =>
    /^switchboard_calls_in_flight 1$/m.test((await service.request('GET', '/metrics')).body),
  );
  const refused = await save('2');
  expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded', retryable: true } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await service.call(account, 'help.getSupport', {})).status).toBe(200);
  expect((await first).status).toBe(200);
  expect((await save('2')).status).toBe(200);
});

it('refuses on arrival what would not get done in time, serves the quiet ones, and is soon as before', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const [loud, quiet] = [
    await service.anAccount(workspaceId),
    await service.anAccount((await service.aWorkspace()).id),
  ];
  const [api] = service.apis;
  const answers: Promise<Answer>[] = [];
  const quietAnswers: Promise<Answer>[] = [];
  // More and more until it is too much, however fast this machine is.
  for (let round = 1; round < 600; round += 1) {
    for (let n = 0; n < Math.min(round, 100); n += 1) answers.push(service.call(loud, 'help.getSupport', {}));
    if (round % 10 === 0) quietAnswers.push(service.call(quiet, 'help.getSupport', {}));
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (api?.logs.some(({ msg }) => msg === 'calls are refused') && answers.length > 2_000) break;
  }
  const all = await Promise.all(answers);
  const refused = all.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(all.length);
  for (const { status, body, headers } of refused) {
    expect({ status, code: body.code }).toBeOneOf([
      { status: 503, code: 'overloaded' },
      { status: 429, code: 'rate_limited' },
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(30);
    expect(headers.get('call-id')).toMatch(/^call_/);
  }
  for (const { status } of await Promise.all(quietAnswers)) expect(status).toBe(200);
  await eventually(() => api?.logs.find(({ msg }) => msg === 'calls are taken again'));
  expect((await service.call(loud, 'help.getSupport', {})).status).toBe(200);
  const { body: metrics } = await service.request('GET', '/metrics');
  const counted = [...metrics.matchAll(/^switchboard_calls_refused_total\{reason="\w+"\} (\d+)$/gm)];
  expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(refused.length);
  expect(metrics).toMatch(/^switchboard_calls_waiting 0$/m);
  expect(metrics).toMatch(/^switchboard_calls_oldest_wait_seconds 0$/m);
});

it('asks who calls, and for what, before it refuses', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const busy = await service.anAccount(workspaceId);
  const path = `/workspaces/${workspaceId}/messenger-accounts/${busy.id}/call`;
  const flood = Array.from({ length: 400 }, () => service.call(busy, 'help.getSupport', {}));
  const answers = [
    await service.request('POST', `${path}/help.getSupport`, '{', { key: 'wrong' }),
    await service.request('POST', `${path}/help.getNothing`, '{'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 404]);
  for (const { status } of await Promise.all(flood)) expect(status).toBeOneOf([200, 429, 503]);
});
