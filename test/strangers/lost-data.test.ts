import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mastersOf, openRedis } from '../../src/redis/connections.ts';
import { eventually } from '../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';
import { type Account, type Answer, Service } from '../support/service/service.ts';

// To be connected again, to look at the data, and until `/readyz`, remembered for a second, is made anew.
const NOTICED_MS = 15_000;
const JUST_COME_MS = 1_000;
const SEND = 'messages.sendMessage';
const MESSAGE = { peer: { _: 'inputPeerSelf' }, message: 'x' };
const METHODS = '/v1/methods?limit=100';

interface Told {
  startedAt: number;
  answer: Answer;
}

let service: Service;
let replacement: TestRedis | null = null;

beforeEach(async () => {
  // One server, always: a cluster's masters do not lose their data all at once.
  service = await Service.start({ cluster: false });
});

afterEach(async () => {
  await service.stop();
  await replacement?.stop();
});

it('what is lost with all data of Redis under load is said, and what processes publish is there again', async () => {
  const redis = openRedis(service.redis.url, 'request', () => undefined);
  await loseData(async () => {
    await Promise.all(mastersOf(redis).map((server) => server.flushall()));
  });
  redis.disconnect();
});

it('the same where Redis comes back empty', async () => {
  await loseData(async () => {
    process.kill(service.redis.pid, 'SIGKILL');
    replacement = await startTestRedis({ port: service.redis.port });
  });
});

async function loseData(lose: () => Promise<void>): Promise<void> {
  const { id } = await service.aWorkspace();
  const account = await service.anAccount(id);
  const slow = await service.anAccount(id);
  const faults = [{ method: SEND, count: 1_000, delayMs: 4_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${slow.id}/sandbox/faults`, { faults });
  const executed = await countExecuted();
  expect(executed).toBeGreaterThan(0);

  const told: Told[] = [];
  let isOver = false;
  const load = [...Array(16).fill(account), ...Array(24).fill(slow)].map(async (from: Account) => {
    while (!isOver) {
      const startedAt = performance.now();
      const answer = await service.call(from, SEND, MESSAGE).catch(() => null);
      // The test has failed meanwhile.
      if (answer === null) return;
      told.push({ startedAt, answer });
      if (answer.status !== 200) await sleep(20);
    }
  });
  await eventually(() => told.filter(({ answer }) => answer.status === 200).length > 100);
  // The first calls of the slow account still run, and none of them has just come.
  await sleep(JUST_COME_MS + 500);
  const lostAt = performance.now();
  await lose();
  const emptyAt = performance.now();
  const ready = await eventually(
    async () => {
      const answer = await service.request('GET', '/readyz');
      return answer.body.checks.data === 'lost' && answer;
    },
    { timeoutMs: NOTICED_MS },
  );
  expect(ready.status).toBe(503);
  await eventually(async () => (await countExecuted()) === executed, {
    timeoutMs: Math.max(1_000, emptyAt + NOTICED_MS - performance.now()),
  });
  for (const { logs } of [...service.apis, ...service.workers]) {
    const lines = await eventually(() => {
      const found = logs.filter(({ msg }) => String(msg).startsWith('Redis has lost its data'));
      return found.length > 0 && found;
    });
    expect(lines.map(({ level }) => level)).toEqual([50]);
  }
  const { body } = await service.request('GET', '/metrics');
  expect(body).toMatch(/^switchboard_redis_data_lost_total 1$/m);

  // It goes on with what is made from now on.
  const times: number[] = [];
  // The machine may stand still during one of them.
  for (let made = 0; made < 3; made += 1) {
    const other = await service.anAccount((await service.aWorkspace()).id);
    const startedAt = performance.now();
    expect((await service.call(other, SEND, MESSAGE)).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  expect(times[0]).toBeLessThan(10_000);
  expect(Math.min(...times)).toBeLessThan(2_000);

  isOver = true;
  await Promise.all(load);
  const underWay = told.filter(({ startedAt }) => startedAt < lostAt);
  const after = told.filter(({ startedAt }) => startedAt > emptyAt + 500);
  // Of a call that had just come, the account is looked for when Redis is back.
  const mayBeGone = ({ startedAt, answer }: Told) =>
    answer.status === 404 && startedAt > lostAt - JUST_COME_MS;
  const final = underWay.filter(
    (one) => one.answer.status !== 200 && one.answer.body.retryable !== true && !mayBeGone(one),
  );
  const kinds = underWay.map(({ answer }) => `${answer.status} ${answer.body.code ?? ''}`);
  process.stderr.write(
    `${[...new Set(kinds)].map((kind) => `${kind}: ${kinds.filter((one) => one === kind).length}`).join(', ')}\n`,
  );
  expect(
    final.filter(({ answer }) => answer.body.code !== 'outcome_unknown').map(({ answer }) => answer.body),
  ).toEqual([]);
  expect(underWay.filter(({ answer }) => answer.status === 503).length).toBeGreaterThan(10);
  // What is gone is not found; a process may still be on its way back to Redis.
  expect(after.filter(({ answer }) => answer.status !== 404 && answer.body.retryable !== true)).toEqual([]);
  expect(after.some(({ answer }) => answer.status === 404)).toBe(true);
}

async function countExecuted(): Promise<number> {
  const { status, body } = await service.request('GET', METHODS);
  return status === 200 ? JSON.stringify(body).split('"executed":true').length - 1 : -1;
}
