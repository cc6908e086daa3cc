import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { appendUpdates } from '../support/api/append-update.ts';
import { storeCall } from '../support/api/async-calls.ts';
import { eventually } from '../support/eventually.ts';
import { Service } from '../support/service/service.ts';
import { Crowd, getRequest } from '../support/strangers/crowd.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const ATTACK_MS = 10_000;
const APART_MS = 4;
const UPDATES = 20_000;
const KEYS = 3;
const MiB = 1024 * 1024;

let service: Service;
let victim: Victim;
let redis: RedisConnection;
let keys: string[];
let updates: string;
let calls: string;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  redis = openRedis(service.redis.url, 'worker', () => undefined);
  const { id: workspaceId, organizationId } = await service.aWorkspace();
  const { id: accountId } = await service.anAccount(workspaceId);
  const scopes = ['updates:read', 'calls:read'];
  keys = await Promise.all(
    Array.from({ length: KEYS }, async () => {
      const { secret } = await service.ok('POST', '/v1/api-keys', { name: 'Reader', workspaceId, scopes });
      return secret;
    }),
  );
  updates = `/v1/workspaces/${workspaceId}/updates`;
  calls = `/v1/calls?workspaceId=${workspaceId}&limit=100`;
  const value = 'x'.repeat(150);
  for (let at = 0; at < UPDATES; at += 100) {
    await appendUpdates(
      redis,
      workspaceId,
      Array.from({ length: 100 }, () => ({ accountId, value })),
    );
  }
  const result = { _: 'upload.file', bytes: 'x'.repeat(0.99 * MiB) };
  for (let at = 0; at < 100; at++) await storeCall(redis, { organizationId, workspaceId, accountId, result });
}, 120_000);

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** How many ms it takes until Redis sends next to nothing for a second. */
async function untilIdle(): Promise<number> {
  const startedAt = performance.now();
  await eventually(async () => (await redisOutput()) < MiB);
  return performance.now() - startedAt;
}

/** What Redis sends within a second. */
async function redisOutput(): Promise<number> {
  const look = async () => Number(/total_net_output_bytes:(\d+)/.exec(await redis.info('stats'))?.[1]);
  const before = await look();
  await sleep(1_000);
  return (await look()) - before;
}

/** Sends requests on connections of their own beside the victim, and closes all of them while they are being answered. */
async function attack(
  name: string,
  connections: { path: string; times: number }[],
  isAnswered = true,
): Promise<void> {
  const crowd = new Crowd();
  const harm = await victim.during(async () => {
    for (const [index, { path, times }] of connections.entries()) {
      await crowd.send(service.url, getRequest(path, keys[index % KEYS] as string).repeat(times));
      // What many that come at the same instant cost is another question.
      await sleep(APART_MS);
    }
    await sleep(ATTACK_MS);
    crowd.leave();
    return untilIdle();
  });
  process.stderr.write(
    `${name}: answered ${(crowd.bytes / MiB).toFixed(0)} MiB, ${JSON.stringify([...crowd.statuses])}; ` +
      `reads ended ${(harm.result / 1_000).toFixed(1)} s after they had gone\n`,
  );
  expectUnhurt(name, harm);
  expect(crowd.bytes > 0).toBe(isAnswered);
  expect(harm.result, 'idle in ms').toBeLessThan(6_000);
}

it('pages of updates, asked for by the thousand', async () => {
  const path = `${updates}?offset=-1`;
  await attack(
    'catch-up',
    Array.from({ length: 20 }, () => ({ path, times: 100 })),
  );
});

it('filtered pages of updates that find nothing', async () => {
  const path = `${updates}?offset=-1&kind=RawUpdatePtsChanged`;
  await attack(
    'filtered catch-up',
    Array.from({ length: 20 }, () => ({ path, times: 100 })),
  );
});

it('lists of calls that kept large answers', async () => {
  await attack(
    'lists of calls',
    Array.from({ length: 40 }, () => ({ path: calls, times: 1 })),
  );
});

it('filtered server-sent events from the beginning of a long stream', async () => {
  await attack(
    'filtered events',
    Array.from({ length: 200 }, (_, index) => ({
      path: `${updates}?offset=-1&live=sse&kind=RawUpdatePtsChanged&reader=${index}`,
      times: 1,
    })),
  );
});

it('server-sent events from the beginning of a long stream', async () => {
  const path = `${updates}?offset=-1&live=sse`;
  await attack(
    'events',
    Array.from({ length: 200 }, () => ({ path, times: 1 })),
  );
});

it('long polls of what never comes', async () => {
  const path = `${updates}?offset=-1&live=long-poll&kind=RawUpdatePtsChanged`;
  await attack(
    'long polls',
    Array.from({ length: 500 }, () => ({ path, times: 1 })),
    false,
  );
});
