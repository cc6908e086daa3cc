import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/ids.ts';
import { openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { appendUpdates } from '../support/api/append-update.ts';
import { eventually } from '../support/eventually.ts';
import { Receiver } from '../support/http/receiver.ts';
import { Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const WEBHOOKS = 50;
/** Accounts that have updates; each has a line of its own at every webhook. */
const ACCOUNTS = 200;
const ATTACK_MS = 8_000;
const PINGS_AT_ONCE = 100;

let service: Service;
let victim: Victim;
let receiver: Receiver;
let redis: RedisConnection;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  victim = await Victim.create(service);
  receiver = await Receiver.start();
  redis = openRedis(service.redis.url, 'request', () => undefined);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
  await receiver.stop();
});

it('bursts of pings of many webhooks with much that waits do not hold up others', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const webhooks: string[] = [];
  for (let index = 0; index < WEBHOOKS; index += 1)
    webhooks.push((await service.ok('POST', '/v1/webhooks', { workspaceId, url: receiver.url })).id);
  // Every second is put aside, and every other holds its line up.
  const accounts = Array.from({ length: ACCOUNTS }, () => newId('messengerAccount'));
  receiver.answer = ({ body }) => {
    const { type, data } = JSON.parse(body);
    if (type === 'webhook.ping') return 204;
    return data.update.value % 2 === 0 ? 422 : 500;
  };
  await appendUpdates(
    redis,
    workspaceId,
    accounts.map((accountId, value) => ({ accountId, value })),
  );
  await service.call(await service.anAccount(workspaceId), 'help.getConfig', {});
  await eventually(() => receiver.received.length >= WEBHOOKS * ACCOUNTS, {
    timeoutMs: 240_000,
    everyMs: 200,
  });
  const before = service.workers.map(({ logs }) => logs.length);
  const harm = await victim.during(async () => {
    const until = performance.now() + ATTACK_MS;
    const statuses = new Map<number, number>();
    await Promise.all(
      Array.from({ length: PINGS_AT_ONCE }, async (_, at) => {
        for (let each = at; performance.now() < until; each += 1) {
          const { status } = await service.request('POST', `/v1/webhooks/${webhooks[each % WEBHOOKS]}/ping`);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    await sleep(5_000);
    return statuses;
  });
  process.stderr.write(`pings: ${JSON.stringify([...harm.result])}, ${receiver.received.length} received\n`);
  expectUnhurt('bursts of pings', harm);
  // Such as BullMQ's of locks that it could not renew in time.
  const warnings = service.workers
    .flatMap(({ logs }, at) => logs.slice(before[at]))
    .filter(({ level, msg }) => Number(level) >= 40 && String(msg).includes('webhook'));
  expect(warnings.map(({ msg, err }) => ({ msg, err })).slice(0, 5)).toEqual([]);
}, 400_000);
