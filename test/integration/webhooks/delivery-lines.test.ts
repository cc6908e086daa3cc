import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Webhook } from '../../../src/directory/collections.ts';
import { recordsKey } from '../../../src/directory/records.ts';
import { SecretBox } from '../../../src/directory/secret-box.ts';
import { newId } from '../../../src/ids.ts';
import { type Logger, openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { offsetOf } from '../../../src/updates/offset.ts';
import { type Delivery, newDelivery } from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { newSigningSecret } from '../../../src/webhooks/signing-secrets.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { DeliveryMetrics } from '../../../workers/delivery/delivery-metrics.ts';
import { type SendContext, sendDelivery } from '../../../workers/delivery/send-delivery.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Has so many attempts at a delivery of a new workspace fail; they need no receiver, as they cannot be signed. */
async function fail(attempts: number, log: Logger): Promise<void> {
  const webhook = { id: newId('webhook'), workspaceId: newId('workspace'), status: 'enabled' } as Webhook;
  const what = { kind: 'test', offset: '1', messengerAccountId: null, data: {} };
  const delivery = newDelivery(what);
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  await appendDeliveries(redis, webhook, { from: '0', to: '1' }, [delivery]);
  const context = { redis, log, metrics: new DeliveryMetrics(new Registry()) } as unknown as SendContext;
  for (let count = 0; count < attempts; count += 1)
    await sendDelivery(context, webhook, delivery, { inLine: true, asked: null });
}

test.each([
  ['info', 20, 40],
  ['debug', 50, 100],
] as const)(
  'with the level %s attempts that fail have so many lines of a workspace a second',
  async (level, few, all) => {
    const written: { msg: string }[] = [];
    const log = openLogger({ LOG_LEVEL: level }, 'test', {
      write: (line) => void written.push(JSON.parse(line)),
    });
    // It stays the same second.
    vi.useFakeTimers({ toFake: ['performance'] });
    const lines = () => written.filter(({ msg }) => msg === 'webhook delivery tried').length;
    await fail(50, log);
    expect(lines()).toBe(few);
    await fail(50, log);
    expect(lines()).toBe(all);
  },
);

const box = new SecretBox(Buffer.alloc(32, 7));
const GONE = { statusCode: 410, retryAfter: undefined, error: null, durationMs: 1 };

/** Sends deliveries of a new webhook at once; `post` stands for its receiver. Resolves with how many lines say that it was disabled. */
async function disabledLines(count: number, post: (webhook: Webhook) => Promise<unknown>): Promise<number> {
  const id = newId('webhook');
  const secrets = [{ sealed: box.seal(id, newSigningSecret()), until: null }];
  const place = { workspaceId: newId('workspace'), organizationId: newId('organization') };
  const webhook = { id, ...place, url: 'https://a.test/', status: 'enabled', secrets } as unknown as Webhook;
  await redis.hset(recordsKey('webhooks'), id, JSON.stringify(webhook));
  const deliveries = Array.from({ length: count }, (_, at) =>
    newDelivery({ kind: 'test', offset: `${at}`, messengerAccountId: `${at}`, data: {} }),
  );
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  await appendDeliveries(redis, webhook, { from: '0', to: '1' }, deliveries);
  const written: { msg: string }[] = [];
  const context = {
    redis,
    box,
    log: openLogger({ LOG_LEVEL: 'info' }, 'test', { write: (line) => void written.push(JSON.parse(line)) }),
    metrics: new DeliveryMetrics(new Registry()),
    poster: { post: () => post(webhook) },
    semaphore: { runWithoutPermit: (_: string, run: () => Promise<unknown>) => run() },
  } as unknown as SendContext;
  await Promise.all(
    deliveries.map((delivery) => sendDelivery(context, webhook, delivery, { inLine: true, asked: null })),
  );
  return written.filter(({ msg }) => msg === 'webhook disabled').length;
}

test('that a webhook is disabled is logged once, however many of its lines are being sent', async () => {
  expect(await disabledLines(5, async () => GONE)).toBe(1);
});

test('that a webhook is disabled is not logged where its address has changed meanwhile', async () => {
  const move = async (webhook: Webhook) => {
    const moved = JSON.stringify({ ...webhook, url: 'https://b.test/' });
    await redis.hset(recordsKey('webhooks'), webhook.id, moved);
    return GONE;
  };
  expect(await disabledLines(1, move)).toBe(0);
});

test('a delivery whose update is no longer held is counted once, however many workers find that', async () => {
  const webhook = { id: newId('webhook'), workspaceId: newId('workspace'), gap: null } as unknown as Webhook;
  const attempts = [{ at: '', statusCode: 200, durationMs: 1, error: null }];
  const what = { kind: 'test', offset: offsetOf('1-1'), messengerAccountId: null };
  const delivery: Delivery = { ...newDelivery(what), attempts };
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  await appendDeliveries(redis, webhook, { from: '0', to: '1' }, [delivery]);
  const metrics = new DeliveryMetrics(new Registry());
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const context = { redis, log, metrics } as unknown as SendContext;
  for (let count = 0; count < 2; count += 1)
    await sendDelivery(context, webhook, delivery, { inLine: true, asked: null });
  const { values } = await metrics.deliveries.get();
  expect(values.find(({ labels }) => labels.status === 'failed')?.value).toBe(1);
});
