import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { LEDGER_GRACE_MS } from '../../src/ledger/retention.ts';
import { openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { eventually } from '../support/eventually.ts';
import { callAsync, messageTo } from '../support/service/async-calls.ts';
import { blockable } from '../support/service/blockable.ts';
import { type Account, type Answer, type ApiProcess, Service } from '../support/service/service.ts';

const CLAIM_MS = 60_000;
const BLOCK_MS = 2_000;
const SENT_AT_ONCE = 1_000;
const TAKEN_OVER_MS = 15_000;
const PATIENCE_MS = 100_000;
const SLEEPER_TIMEOUT_MS = 15_000;
const SEND = 'messages.sendMessage';

// A test waits with patience more than once.
vi.setConfig({ testTimeout: 4 * PATIENCE_MS });

let service: Service;
let redis: RedisConnection;
let sender: Account;
let receiver: Account;

beforeAll(async () => {
  service = await Service.start({
    workers: 1,
    env: { ADMISSION_MAX_WAIT_MS: '600000', CALL_TIMEOUT_MS: '600000' },
  });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  const { id } = await service.aWorkspace();
  sender = await service.anAccount(id);
  receiver = await service.anAccount(id);
  await stopWorkers();
});

afterEach(stopWorkers);
afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

it('what a killed worker had in hand runs again within a quarter of a minute', async () => {
  const worker = await service.startWorker();
  const slow = await service.anAccount(sender.workspaceId);
  const faults = [{ method: 'help.getSupport', delayMs: 10_000, count: 1_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${slow.id}/sandbox/faults`, { faults });
  const answers = Promise.all(Array.from({ length: 4 }, () => service.call(slow, 'help.getSupport', {})));
  await eventually(async () => (await redis.llen('sb:{queue}:calls-slow:active')) === 4, { everyMs: 5 });
  worker.child.kill('SIGKILL');
  const other = await service.startWorker();
  await eventually(() => other.logs.some(({ msg }) => msg === 'job was interrupted'), {
    timeoutMs: TAKEN_OVER_MS,
  });
  expect((await answers).map(({ status }) => status)).toEqual(Array(4).fill(200));
});

it('what waited in an API process that was killed is done under its Idempotency-Keys by another', async ({
  annotate,
}) => {
  const lost = await service.startApi({ CALL_TIMEOUT_MS: String(CLAIM_MS) });
  const texts = Array.from({ length: 1_000 }, (_, i) => `waited-${i}`);
  const waiting = texts.map((text) => send(text, lost.url).catch((error: Error) => error));
  await eventually(async () => (await inFlight(lost)) === texts.length, { timeoutMs: PATIENCE_MS });
  lost.child.kill('SIGKILL');
  for (const answer of await Promise.all(waiting)) expect(answer).toBeInstanceOf(Error);
  await service.startWorker();
  const done = await Promise.all(texts.map((text) => sendUntilDone(text)));
  // Those that were on a queue ran all the same, and their results are found; the others had never left the process.
  const found = done.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length;
  await annotate(`${found} results were there, ${texts.length - found} calls were made anew`);
  expect(new Set(done.map(({ body }) => body.txid)).size).toBe(texts.length);
  expect((await received('waited')).toSorted()).toEqual(texts.toSorted());
});

it('async calls that an API process which was killed had taken in are done, each to be found by its id', async () => {
  const lost = await service.startApi();
  const texts = Array.from({ length: 1_000 }, (_, i) => `async-${i}`);
  const ids = await Promise.all(
    texts.map(async (text) => {
      const { status, body } = await callAsync(service, sender, SEND, messageTo(receiver, text), lost);
      expect(status).toBe(202);
      return body.id as string;
    }),
  );
  lost.child.kill('SIGKILL');
  await service.startWorker();
  const calls = await Promise.all(ids.map((id) => untilEnded(id)));
  expect(calls.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  expect(new Set(calls.map(({ txid }) => txid)).size).toBe(texts.length);
  expect((await received('async')).toSorted()).toEqual(texts.toSorted());
});

it('an API process that slept past deadlines and ledgers says of no call that ran that it did not', async () => {
  await service.startWorker();
  const api = await service.startApi({ CALL_TIMEOUT_MS: String(SLEEPER_TIMEOUT_MS) });
  const { id } = await service.aWorkspace();
  const [from, to] = [await service.anAccount(id), await service.anAccount(id)];
  const faults = [{ method: SEND, delayMs: 6_000, count: 1_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${from.id}/sandbox/faults`, { faults });
  const texts = Array.from({ length: 16 }, (_, i) => `slept-${i}`);
  const answers = texts.map((text) => service.call(from, SEND, messageTo(to, text), api));
  await eventually(async () => (await redis.llen('sb:{queue}:calls-slow:active')) === texts.length);
  api.child.kill('SIGSTOP');
  const sent = async () => (await service.updates(id, '-1', `messengerAccountId=${to.id}`)).length;
  await eventually(async () => (await sent()) === texts.length);
  await new Promise((resolve) => setTimeout(resolve, SLEEPER_TIMEOUT_MS + LEDGER_GRACE_MS));
  api.child.kill('SIGCONT');
  const codes = (await Promise.all(answers)).map(({ status, body }) => body.code ?? status);
  expect(codes.filter((code) => code !== 200 && code !== 'outcome_unknown')).toEqual([]);
});

it('no reply is lost on an API process whose event loop stands still for two seconds', async () => {
  const api = await service.startApi(blockable(BLOCK_MS));
  const texts = Array.from({ length: 8_000 }, (_, i) => `blocked-${i}`);
  let answered = 0;
  const answers: Promise<Answer>[] = [];
  const one = async (text: string) => {
    const answer = await send(text, api.url, {});
    answered += 1;
    return answer;
  };
  // On a busy machine, thousands of connections at once are not all made in time.
  while (answers.length < texts.length) {
    answers.push(...texts.slice(answers.length, answers.length + SENT_AT_ONCE).map(one));
    await eventually(async () => (await inFlight(api)) === answers.length, { timeoutMs: PATIENCE_MS });
  }
  await service.startWorker();
  await eventually(() => answered > 200, { timeoutMs: PATIENCE_MS, everyMs: 1 });
  api.child.kill('SIGUSR2');
  const failed = (await Promise.all(answers)).filter(({ status }) => status !== 200);
  expect(failed.map(({ body }) => body)).toEqual([]);
  expect((await received('blocked')).toSorted()).toEqual(texts.toSorted());
});

function send(text: string, url: string, headers: Record<string, string> = { 'idempotency-key': text }) {
  return service.call(sender, SEND, messageTo(receiver, text), { url, headers });
}

/** Sends it again while the attempt that is lost still has the key. */
async function sendUntilDone(text: string): Promise<Answer> {
  for (;;) {
    const answer = await send(text, service.url);
    if (answer.status === 200) return answer;
    expect(answer.body.code).toBe('call_in_flight');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function untilEnded(id: string) {
  return eventually(
    async () => {
      const call = await service.ok('GET', `/v1/calls/${id}?wait=60`);
      return call.finishedAt !== null && call;
    },
    { timeoutMs: PATIENCE_MS },
  );
}

async function inFlight(api: ApiProcess): Promise<number> {
  const { body } = await service.request('GET', '/metrics', undefined, { url: api.url });
  return Number(/^switchboard_calls_in_flight(?:{.*})? (\d+)$/m.exec(body)?.[1]);
}

async function received(prefix: string): Promise<string[]> {
  const updates = await service.updates(receiver.workspaceId);
  return updates
    .filter(({ messengerAccountId }) => messengerAccountId === receiver.id)
    .map(({ update }) => update.message.message)
    .filter((text: string) => text.startsWith(prefix));
}

async function stopWorkers(): Promise<void> {
  for (const { child } of service.workers) child.kill('SIGTERM');
  await eventually(
    () => service.workers.every(({ child }) => child.exitCode !== null || child.signalCode !== null),
    { timeoutMs: PATIENCE_MS },
  );
}
