import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { callAsync, endOf } from '../support/service/async-calls.ts';
import { type Account, Service } from '../support/service/service.ts';

const METHOD = 'help.getSupport';
const MAX_WAIT_MS = 200;
const CALLERS = 20;

let service: Service;
let account: Account;
let other: Account;

beforeAll(async () => {
  service = await Service.start({ env: { ADMISSION_MAX_WAIT_MS: String(MAX_WAIT_MS) } });
  const { id } = await service.aWorkspace();
  [account, other] = [await service.anAccount(id), await service.anAccount((await service.aWorkspace()).id)];
  service.workers[0]?.child.kill('SIGKILL');
});

afterAll(() => service.stop());

it('takes async and scheduled calls in while callers wait for a worker that is not there', async () => {
  const stop = new AbortController();
  const waiting = Array.from({ length: CALLERS }, () =>
    service.call(account, METHOD, {}, { signal: stop.signal }).catch(() => null),
  );
  const inFlight = new RegExp(`^switchboard_calls_in_flight ${CALLERS}$`, 'm');
  await eventually(async () => inFlight.test((await service.request('GET', '/metrics')).body));
  // Until it is sure that nothing is answered.
  await sleep(MAX_WAIT_MS * 5 + 300);
  const refused = await service.call(account, METHOD, {});
  expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);

  const asked = await callAsync(service, account, METHOD, {});
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/${METHOD}`;
  const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
  // A schedule without `Prefer` stands in the body, and of those one in 50 ms is read for a workspace whose calls are refused: the
  // call before may have been that one.
  const scheduled = await eventually(async () => {
    const answer = await service.request('POST', path, { params: {}, scheduleAt });
    if (answer.status === 202) return answer;
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([503, 'overloaded']);
    return null;
  });
  const bulk = await service.request(
    'POST',
    `/workspaces/${account.workspaceId}/calls`,
    { calls: [1, 2].map(() => ({ accountId: account.id, method: METHOD, params: {} })) },
    { headers: { prefer: 'respond-async' } },
  );
  expect(bulk.body.results.map(({ status }: { status: number }) => status)).toEqual([202, 202]);
  const others = await callAsync(service, other, METHOD, {});
  expect(others.status, JSON.stringify(others.body)).toBe(202);

  stop.abort();
  await Promise.all(waiting);
  await service.startWorker();
  expect((await endOf(service, asked.body.id)).status).toBe('succeeded');
  expect((await service.ok('GET', `/v1/calls/${scheduled.body.id}`)).status).toBe('queued');
});
