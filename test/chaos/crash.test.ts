import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { eventually } from '../support/eventually.ts';
import { type Account, Service, type ServiceProcess } from '../support/service/service.ts';

// Eight calls of five seconds take 40 one after the other, and much less side by side, however slow the machine is.
const SIDE_BY_SIDE_MS = 35_000;

let service: Service;
let redis: RedisConnection;

beforeAll(async () => {
  service = await Service.start({
    workers: 1,
    // A call that crashes three workers takes most of the usual half a minute, and no call is to be refused while the machine stands still.
    env: { SANDBOX_CRASH_FAULTS: '1', CALL_TIMEOUT_MS: '600000' },
  });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

async function twoAccounts(): Promise<[Account, Account]> {
  const { id } = await service.aWorkspace();
  return [await service.anAccount(id), await service.anAccount(id)];
}

function send(from: Account, to: Account, message: string) {
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  return service.call(from, 'messages.sendMessage', { peer, message });
}

/** The texts in the account's chat with another, each as often as it is there. */
async function received(account: Account, from: Account): Promise<string[]> {
  const texts: string[] = [];
  for (let offsetId = 0; ; ) {
    const page = await service.result(account, 'messages.getHistory', {
      peer: { _: 'inputPeerUser', userId: from.userId, accessHash: '0' },
      ...{
        offsetId,
        offsetDate: 0,
        addOffset: 0,
        limit: 100,
        maxId: 0,
        minId: 0,
        hash: '0',
      },
    });
    if (page.messages.length === 0) return texts;
    texts.push(...page.messages.map((found: { message: string }) => found.message));
    offsetId = page.messages.at(-1).id;
  }
}

/** Until workers have so many calls of the slow lane in hand. */
async function untilRunning(count: number): Promise<void> {
  await eventually(async () => (await redis.llen('sb:{queue}:calls-slow:active')) === count, { everyMs: 5 });
}

function lastWorker(): ServiceProcess {
  return service.workers.at(-1) as ServiceProcess;
}

describe('when a worker', () => {
  it('is killed during 2,000 sends, every call is answered and none takes effect twice', async () => {
    const [a, b] = await twoAccounts();
    const texts = Array.from({ length: 2_000 }, (_, i) => `send ${i}`);
    let answered = 0;
    const calls = texts.map(async (text) => {
      const answer = await send(a, b, text);
      answered += 1;
      return answer;
    });
    await eventually(() => answered > 300, { everyMs: 1, timeoutMs: 60_000 });
    lastWorker().child.kill('SIGKILL');
    await service.startWorker();
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
    const found = await received(b, a);
    expect(found.toSorted()).toEqual(texts.toSorted());
    expect(new Set(answers.map(({ body }) => body.txid)).size).toBe(2_000);
  });

  it('is killed while eight calls wait for five seconds, they still wait side by side', async () => {
    const [account] = await twoAccounts();
    const fault = { method: 'help.getSupport', count: 8, delayMs: 5_000 };
    await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults: [fault] });
    const calls = Array.from({ length: 8 }, () => service.call(account, 'help.getSupport', {}));
    await untilRunning(8);
    lastWorker().child.kill('SIGKILL');
    const killedAt = performance.now();
    await service.startWorker();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(performance.now() - killedAt).toBeLessThan(SIDE_BY_SIDE_MS);
  });

  it('is stopped in mid-batch while another takes over, its waking up has no second effect', async () => {
    const [a, b] = await twoAccounts();
    const sleeper = lastWorker();
    const texts = Array.from({ length: 500 }, (_, i) => `sleep ${i}`);
    let answered = 0;
    const calls = texts.map(async (text) => {
      const answer = await send(a, b, text);
      answered += 1;
      return answer;
    });
    await eventually(() => answered > 20, { everyMs: 1, timeoutMs: 60_000 });
    sleeper.child.kill('SIGSTOP');
    await service.startWorker();
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
    sleeper.child.kill('SIGCONT');
    await send(a, b, 'after');
    await setTimeout(1_000);
    expect((await received(b, a)).toSorted()).toEqual([...texts, 'after'].toSorted());
  });

  it('is crashed by one call among 255 good ones, those are answered and that one has an unknown outcome', async () => {
    for (const worker of service.workers.splice(0)) worker.child.kill('SIGTERM');
    const keeper = keepWorkerRunning();
    await eventually(() => service.workers.length > 0, { timeoutMs: 60_000 });
    const [a, b] = await twoAccounts();
    const poison = await service.anAccount(a.workspaceId);
    const fault = { method: 'help.getSupport', count: 100, crash: true };
    await service.ok('PUT', `/v1/messenger-accounts/${poison.id}/sandbox/faults`, { faults: [fault] });
    const texts = Array.from({ length: 255 }, (_, i) => `good ${i}`);
    const crash = service.call(poison, 'help.getSupport', {});
    const answers = await Promise.all(texts.map((text) => send(a, b, text)));
    const crashed = await crash;
    await keeper.stop();
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
    expect(crashed).toMatchObject({
      status: 502,
      body: { code: 'outcome_unknown' },
    });
    expect((await received(b, a)).toSorted()).toEqual(texts.toSorted());
    expect(keeper.deaths).toBeGreaterThanOrEqual(2);
  });
});

it('answers a quiet workspace while another makes eight calls of fifteen seconds', async () => {
  const { id } = await service.aWorkspace();
  const slow = await service.anAccount(id);
  const [quiet] = await twoAccounts();
  const fault = { method: 'help.getSupport', count: 8, delayMs: 15_000 };
  await service.ok('PUT', `/v1/messenger-accounts/${slow.id}/sandbox/faults`, {
    faults: [fault],
  });
  let slowAnswered = 0;
  const started = performance.now();
  const calls = Array.from({ length: 8 }, async () => {
    const { status } = await service.call(slow, 'help.getSupport', {});
    slowAnswered += 1;
    return status;
  });
  await untilRunning(8);
  for (let made = 0; made < 20; made += 1)
    await service.result(quiet, 'messages.readMessageContents', { id: [1] });
  expect(slowAnswered).toBe(0);
  expect(await Promise.all(calls)).toEqual(Array(8).fill(200));
  expect(performance.now() - started).toBeLessThan(SIDE_BY_SIDE_MS);
});

/** Starts a worker and, like a supervisor, another one whenever it dies. */
function keepWorkerRunning(): { deaths: number; stop(): Promise<void> } {
  const keeper = { deaths: 0, stop };
  let stopped = false;
  const loop = run();
  async function run(): Promise<void> {
    while (!stopped) {
      const worker = await service.startWorker().catch((error: unknown) => {
        // It takes calls before it says that it is ready, and one may kill it.
        if (service.spawned.at(-1)?.child.signalCode !== 'SIGKILL') throw error;
      });
      if (worker)
        await eventually(
          () => stopped || worker.child.exitCode !== null || worker.child.signalCode !== null,
          { timeoutMs: 120_000 },
        );
      if (!stopped) keeper.deaths += 1;
    }
  }
  async function stop(): Promise<void> {
    stopped = true;
    await loop;
  }
  return keeper;
}
