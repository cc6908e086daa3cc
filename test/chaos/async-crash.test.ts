import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { callAsync, endEvents, endOf, messageTo } from '../support/service/async-calls.ts';
import { type Account, type ApiProcess, Service, type ServiceProcess } from '../support/service/service.ts';

const SEND = 'messages.sendMessage';

let service: Service;
let from: Account;
let to: Account;

beforeAll(async () => {
  service = await Service.start({ apis: 2, workers: 2, env: { SANDBOX_CRASH_FAULTS: '1' } });
  const { id } = await service.aWorkspace();
  [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

async function kill({ child }: ServiceProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function texts(): Promise<string[]> {
  const stream = await service.updates(to.workspaceId, '-1', `messengerAccountId=${to.id}`);
  return stream.flatMap(({ update }) => (update._ === 'updateNewMessage' ? [update.message.message] : []));
}

it('runs every recorded call once, though the API process that took it in was killed', async () => {
  const doomed = service.apis.pop() as ApiProcess;
  const names = Array.from({ length: 150 }, (_, index) => `from the dead ${index}`);
  const answers = names.map((name) =>
    callAsync(service, from, SEND, messageTo(to, name), { url: doomed.url }).catch(() => null),
  );
  await Promise.race(answers);
  await kill(doomed);
  const accepted = (await Promise.all(answers)).filter((answer) => answer?.status === 202);
  expect(accepted.length).toBeGreaterThan(0);
  const open = async (status: string) =>
    (await service.ok('GET', `/v1/calls?workspaceId=${from.workspaceId}&status=${status}`)).data.length;
  await eventually(async () => (await open('queued')) + (await open('running')) === 0, { timeoutMs: 60_000 });
  const sent = await texts();
  expect(new Set(sent).size).toBe(sent.length);
  for (const answer of accepted) {
    const call = await endOf(service, answer?.body.id);
    expect(call.status).toBe('succeeded');
    expect(await endEvents(service, from.workspaceId, call.id)).toMatchObject([{ txid: call.txid }]);
  }
}, 120_000);

it('runs a call again whose worker was killed, and gives one up that kills every worker', async () => {
  const faults = (count: number) =>
    service.ok('PUT', `/v1/messenger-accounts/${from.id}/sandbox/faults`, {
      faults: count === 0 ? [] : [{ method: SEND, count, crash: true }],
    });
  await faults(1);
  const { body } = await callAsync(service, from, SEND, messageTo(to, 'second life'));
  await eventually(
    async () => (await service.ok('GET', `/v1/calls/${body.id}?wait=20`)).status === 'succeeded',
    { timeoutMs: 60_000 },
  );
  expect((await texts()).filter((text) => text === 'second life')).toHaveLength(1);
  expect(await endEvents(service, from.workspaceId, body.id)).toHaveLength(1);

  await Promise.all([service.startWorker(), service.startWorker()]);
  await faults(50);
  const poison = await callAsync(service, from, SEND, messageTo(to, 'poison'));
  await eventually(
    async () => (await service.ok('GET', `/v1/calls/${poison.body.id}?wait=20`)).status === 'failed',
    { timeoutMs: 60_000 },
  );
  expect((await endOf(service, poison.body.id)).error.code).toBe('outcome_unknown');
  await faults(0);
  expect(await texts()).not.toContain('poison');
}, 150_000);

it('runs calls that wait when their worker is killed side by side again', async () => {
  const calls = 8;
  await service.ok('PUT', `/v1/messenger-accounts/${from.id}/sandbox/faults`, {
    // Each call waits in its first attempt and in the next.
    faults: [{ method: SEND, count: 2 * calls, delayMs: 10_000 }],
  });
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, n) => callAsync(service, from, SEND, messageTo(to, `waits ${n}`))),
  );
  const withStatus = async (status: string) =>
    (await service.ok('GET', `/v1/calls?workspaceId=${from.workspaceId}&status=${status}`)).data.length;
  await eventually(async () => (await withStatus('running')) === calls);
  const alive = service.workers
    .splice(0)
    .filter(({ child }) => child.exitCode === null && child.signalCode === null);
  await Promise.all(alive.map(kill));
  await service.startWorker();
  const startedAt = performance.now();
  for (const { body } of answers)
    await eventually(
      async () => (await service.ok('GET', `/v1/calls/${body.id}?wait=20`)).status === 'succeeded',
      { timeoutMs: 60_000 },
    );
  // One after the other they would take 80 seconds.
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect((await texts()).filter((text) => text.startsWith('waits'))).toHaveLength(calls);
}, 150_000);
