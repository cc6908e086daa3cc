import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { appendUpdates } from '../support/api/append-update.ts';
import { Receiver } from '../support/http/receiver.ts';
import { messageTo } from '../support/service/async-calls.ts';
import { type Account, Service } from '../support/service/service.ts';

// As many as jobs of webhooks that may ask Redis at once.
const WORKSPACES = 8;
const WEBHOOKS = 10;
const UPDATES = 2_000;
const APPENDED_AT_ONCE = 500;
const DELIVERIES = 10;
// One that waits for what is queued for all of them takes several times as long.
const SLOWEST_MS = 8_000;

let service: Service;
let redis: RedisConnection;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  redis = openRedis(service.redis.url, 'request', () => undefined);
  receiver = await Receiver.start();
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
  await receiver.stop();
});

/** Webhooks that are disabled, of a workspace that has many updates since then; nobody listens. */
async function webhooksBehind(): Promise<string[]> {
  const { id: workspaceId } = await service.aWorkspace();
  const account = await service.anAccount(workspaceId);
  const ids: string[] = [];
  for (let each = 0; each < WEBHOOKS; each += 1) {
    const { id } = await service.ok('POST', '/v1/webhooks', { workspaceId, url: 'http://127.0.0.1:9/' });
    await service.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    ids.push(id);
  }
  const some = Array.from({ length: APPENDED_AT_ONCE }, (_, value) => ({ accountId: account.id, value }));
  for (let at = 0; at < UPDATES; at += APPENDED_AT_ONCE) await appendUpdates(redis, workspaceId, some);
  return ids;
}

async function deliver(account: Account): Promise<number> {
  const before = receiver.received.length;
  const startedAt = performance.now();
  await service.result(account, 'messages.sendMessage', messageTo(account, 'Hello'));
  while (receiver.received.length === before) await sleep(5);
  return performance.now() - startedAt;
}

it('delivers to others while many webhooks are filled at once', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const quiet = await service.anAccount(workspaceId);
  await service.ok('POST', '/v1/webhooks', { workspaceId, url: receiver.url });
  await deliver(quiet);
  const behind = (await Promise.all(Array.from({ length: WORKSPACES }, webhooksBehind))).flat();
  const enabled = behind.map((id) => service.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' }));
  const times: number[] = [];
  for (let each = 0; each < DELIVERIES; each += 1) times.push(await deliver(quiet));
  await Promise.all(enabled);
  process.stderr.write(`deliveries beside full feeds: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms\n`);
  expect(Math.max(...times), 'slowest in ms').toBeLessThan(SLOWEST_MS);
}, 200_000);
