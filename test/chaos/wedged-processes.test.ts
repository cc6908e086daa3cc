import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { superviseChild } from '../../src/launch/processes/supervise-child.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';
import { startTestCluster } from '../support/redis/redis-cluster.ts';
import { blockable } from '../support/service/blockable.ts';
import { type Account, RUNS_ON_CLUSTER, Service, type ServiceProcess } from '../support/service/service.ts';
import { Link } from '../torture/rig/link.ts';

const STALL_MS = 1_500;
const FOR_EVER_MS = 3_600_000;
const BACK_MS = 40_000;

const WEDGING = { ...blockable(FOR_EVER_MS), EVENT_LOOP_STALL_MAX_MS: String(STALL_MS) };

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await Service.start({ env: { CALL_TIMEOUT_MS: '60000' } });
  account = await service.anAccount((await service.aWorkspace()).id);
});

afterAll(() => service.stop());

it('a worker whose event loop is stuck ends by itself, and its calls run elsewhere', async () => {
  await stopWorkers();
  const stuck = await service.startWorker(WEDGING);
  stuck.child.kill('SIGUSR2');
  const answers = Promise.all(Array.from({ length: 20 }, () => service.call(account, 'help.getSupport', {})));
  await eventually(() => stuck.child.signalCode === 'SIGKILL', { timeoutMs: BACK_MS });
  // Its end may be known before its last line is read.
  const last = await eventually(() => stuck.logs.find(({ level }) => level === 60));
  expect(last.msg).toContain('stuck');
  expect(stuck.logs.at(-1)).toBe(last);
  await service.startWorker();
  expect((await answers).map(({ status }) => status)).toEqual(Array(20).fill(200));
});

it('an API process whose event loop is stuck ends by itself', async () => {
  const api = await service.startApi(WEDGING);
  api.child.kill('SIGUSR2');
  await eventually(() => api.child.signalCode === 'SIGKILL', { timeoutMs: BACK_MS });
});

it('one that was stopped altogether, with its watch, goes on when it is continued', async () => {
  const worker = await service.startWorker(WEDGING);
  worker.child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 2 * STALL_MS));
  worker.child.kill('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, STALL_MS / 2));
  expect(worker.child.signalCode).toBeNull();
});

it('the supervisor of npm start replaces it', async () => {
  const pids: number[] = [];
  const ends: (string | null)[] = [];
  const port = await findFreePort();
  const child = superviseChild({
    module: fileURLToPath(new URL('../../dist/workers/main.js', import.meta.url)),
    env: { ...process.env, REDIS_URL: service.redis.url, ...WEDGING, WORKER_METRICS_PORT: String(port) },
    mayPrint: new Promise(() => undefined),
    onSpawn: (pid) => pids.push(pid),
    onCrash: ({ signal }) => ends.push(signal),
  });
  const untilAlive = () =>
    eventually(
      () =>
        fetch(`http://127.0.0.1:${port}/livez`).then(
          ({ ok }) => ok,
          () => false,
        ),
      {
        timeoutMs: BACK_MS,
      },
    );
  await untilAlive();
  process.kill(pids[0] as number, 'SIGUSR2');
  await eventually(() => ends.length > 0, { timeoutMs: BACK_MS });
  expect(ends).toEqual(['SIGKILL']);
  await untilAlive();
  expect(pids).toHaveLength(2);
  await child.stop(20_000);
});

it('a worker and an API process whose connections to Redis fall silent make new ones', async () => {
  const links: Link[] = [];
  const linkTo = async (port: number) => {
    const link = await Link.open(port);
    links.push(link);
    return link.port;
  };
  const redis = await startLinked(linkTo);
  const linked = await Service.start({ redis, env: { CALL_TIMEOUT_MS: '60000' } });
  const caller = await linked.anAccount((await linked.aWorkspace()).id);
  const call = () => linked.call(caller, 'help.getSupport', {});
  expect((await call()).status).toBe(200);
  for (const link of links) link.forget();
  const waiting = call();
  await eventually(async () => (await call()).status === 200, { timeoutMs: BACK_MS, everyMs: 100 });
  expect([200, 502, 503]).toContain((await waiting).status);
  for (const { child } of [...linked.apis, ...linked.workers]) expect(child.exitCode).toBeNull();
  await linked.stop();
  for (const link of links) await link.close();
});

/** A Redis, or a cluster, that is spoken to over links. */
async function startLinked(linkTo: (port: number) => Promise<number>): Promise<TestRedis> {
  if (RUNS_ON_CLUSTER) return startTestCluster({ replicas: false, announce: linkTo });
  const redis = await startTestRedis();
  return { ...redis, url: `redis://127.0.0.1:${await linkTo(redis.port)}` };
}

async function stopWorkers(): Promise<void> {
  const ended = (worker: ServiceProcess) =>
    worker.child.exitCode !== null || worker.child.signalCode !== null;
  for (const { child } of service.workers) child.kill('SIGTERM');
  await eventually(() => service.workers.every(ended), { timeoutMs: BACK_MS });
}
