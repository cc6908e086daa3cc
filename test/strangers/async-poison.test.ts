import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callAsync } from '../support/service/async-calls.ts';
import { type Account, Service, type ServiceProcess } from '../support/service/service.ts';

const METHOD = 'help.getSupport';
const WORKERS = 2;
const BESIDE = 120;
const BESIDE_MS = 1_500;

// More for whoever wants to know for certain; a round takes about half a minute.
const ROUNDS = Number(process.env.POISON_ROUNDS ?? 1);
const KILLING_MS = Number(process.env.KILLING_SECONDS ?? 15) * 1_000;
const KILL_EVERY_MS = 2_500;

let service: Service;
let poison: Account;
let own: Account[];
let others: Account[];

beforeAll(async () => {
  service = await Service.start({ workers: WORKERS, env: { SANDBOX_CRASH_FAULTS: '1' } });
  const { id } = await service.aWorkspace();
  poison = await service.anAccount(id);
  own = await slowAccounts(id);
  others = await slowAccounts((await service.aWorkspace()).id);
});

afterAll(() => service.stop());

function slowAccounts(workspaceId: string): Promise<Account[]> {
  return Promise.all(
    Array.from({ length: 4 }, async () => {
      const account = await service.anAccount(workspaceId);
      await setFaults(account, [{ method: METHOD, count: 100_000, delayMs: BESIDE_MS }]);
      return account;
    }),
  );
}

async function setFaults(account: Account, faults: object[]): Promise<void> {
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
}

/** As whoever supervises workers does: another for each that has ended, until told to stop. */
function superviseWorkers(): { stop(): Promise<number> } {
  let isOver = false;
  let ended = 0;
  const supervising = (async () => {
    while (!isOver) {
      for (const [at, { child }] of service.workers.entries()) {
        if (child.signalCode === null && child.exitCode === null) continue;
        service.workers.splice(at, 1);
        ended += 1;
        await service.startWorker();
        break;
      }
      await sleep(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await supervising;
      return ended;
    },
  };
}

async function accept(account: Account): Promise<string> {
  const { status, body } = await callAsync(service, account, METHOD, {});
  expect(status).toBe(202);
  return body.id;
}

async function endsOf(ids: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    let call = await service.ok('GET', `/v1/calls/${id}?wait=30`);
    while (['queued', 'running'].includes(call.status))
      call = await service.ok('GET', `/v1/calls/${id}?wait=30`);
    const end = call.error === null || call.error === undefined ? call.status : call.error.code;
    counts[end] = (counts[end] ?? 0) + 1;
  }
  return counts;
}

it(
  'ends only the call as of unknown outcome that kills its worker, and none beside it',
  async () => {
    await setFaults(poison, [{ method: METHOD, count: 100_000, crash: true }]);
    const workers = superviseWorkers();
    const beside: Record<string, number> = {};
    const guilty: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const accounts = Array.from(
        { length: BESIDE },
        (_, at) => (at % 2 === 0 ? own : others)[(at >> 1) % 4],
      );
      const half = await Promise.all(accounts.slice(0, BESIDE / 2).map((one) => accept(one as Account)));
      const one = await accept(poison);
      const rest = await Promise.all(accounts.slice(BESIDE / 2).map((each) => accept(each as Account)));
      for (const [end, count] of Object.entries(await endsOf([...half, ...rest])))
        beside[end] = (beside[end] ?? 0) + count;
      for (const [end, count] of Object.entries(await endsOf([one])))
        guilty[end] = (guilty[end] ?? 0) + count;
    }
    const killed = await workers.stop();
    await setFaults(poison, []);
    process.stderr.write(
      `${ROUNDS} rounds: beside ${JSON.stringify(beside)}, guilty ${JSON.stringify(guilty)}, ${killed} workers killed\n`,
    );
    expect(beside).toEqual({ succeeded: BESIDE * ROUNDS });
    expect(guilty).toEqual({ outcome_unknown: ROUNDS });
    expect(killed).toBe(ROUNDS);
  },
  60_000 + ROUNDS * 120_000,
);

it(
  'ends no accepted call so while workers are killed at random',
  async () => {
    const workers = superviseWorkers();
    const until = performance.now() + KILLING_MS;
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await sleep(KILL_EVERY_MS * (0.5 + Math.random()));
        const alive = service.workers.filter(({ child }) => child.signalCode === null);
        await kill(alive[Math.floor(Math.random() * alive.length)]);
      }
    })();
    const ids: string[] = [];
    while (performance.now() < until) {
      for (const accounts of [own, others]) ids.push(await accept(accounts[ids.length % 4] as Account));
      await sleep(100);
    }
    isOver = true;
    await killing;
    const ends = await endsOf(ids);
    const killed = await workers.stop();
    process.stderr.write(`killed ${killed} workers at random: ${JSON.stringify(ends)}\n`);
    expect(killed).toBeGreaterThan(2);
    expect(ends).toEqual({ succeeded: ids.length });
  },
  180_000 + 4 * KILLING_MS,
);

async function kill(worker: ServiceProcess | undefined): Promise<void> {
  if (worker === undefined) return;
  const exited = once(worker.child, 'exit');
  worker.child.kill('SIGKILL');
  await exited;
}
