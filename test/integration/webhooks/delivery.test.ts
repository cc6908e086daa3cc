import type { ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patchRecord, recordsKey, viewKey } from '../../../src/directory/records.ts';
import { SecretBox } from '../../../src/directory/secret-box.ts';
import { Tenants } from '../../../src/directory/tenants.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { WebhookQueue } from '../../../src/queue/webhook-queue.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { directoryKey } from '../../../src/redis/keys.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { trimUpdates } from '../../../src/updates/trim-updates.ts';
import { QUEUED_MAX } from '../../../src/webhooks/bounds.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { newSigningSecret } from '../../../src/webhooks/signing-secrets.ts';
import { type RunningDeliveries, startDeliveries } from '../../../workers/delivery/start-deliveries.ts';
import { sweepWebhooks } from '../../../workers/delivery/sweep-webhooks.ts';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { Receiver } from '../../support/http/receiver.ts';

// As long as the real schedule in steps, and not in time.
const DELAYS = [100, 150, 200, 250, 300, 350, 400, 450, 500];

let api: TestApi;
const HALF_A_SECOND = { isFresh: (askedAt: number) => askedAt > performance.now() - 500 };

let connection: RedisConnection;
let registry: Registry;
let running: RunningDeliveries;
let receiver: Receiver;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;

function start(tuning: Parameters<typeof startDeliveries>[1] = {}): void {
  const log = openLogger(api.deps.config, 'test');
  registry = new Registry();
  const tenants = new Tenants(connection, HALF_A_SECOND);
  running = startDeliveries(
    {
      connection,
      freshness: HALF_A_SECOND,
      tenants,
      tracing: NO_TRACING,
      box: api.deps.directory.box,
      log,
      allowPrivate: true,
      dnsServers: [],
      registry,
    },
    { retryDelays: DELAYS, attemptMs: 15_000, sweepEveryMs: 500, ...tuning },
  );
}

beforeAll(async () => {
  api = await TestApi.start({ WEBHOOKS_ALLOW_PRIVATE: '1' });
  connection = openRedis(api.server.url, 'worker', () => undefined);
});
beforeEach(async () => {
  tenant = await api.aTenant();
  receiver = await Receiver.start();
});
afterEach(async () => {
  await running.close(2_000);
  await receiver.stop();
});
afterAll(async () => {
  connection.disconnect();
  await api.stop();
});

async function aWebhook(body: object = {}) {
  return api.ok('POST', '/v1/webhooks', { workspaceId: tenant.workspaceId, url: receiver.url, ...body });
}

/** The answer of a receiver that asks for an hour at first, and then takes all. */
const onceAsksToWait: Receiver['answer'] = (_, count) =>
  count === 0 ? (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end() : 204;

/** Appends numbered updates for accounts in turn. */
async function append(from: number, count: number, accountIds = [tenant.accountId]): Promise<void> {
  const wanted = Array.from({ length: count }, (_, index) => ({
    accountId: accountIds[index % accountIds.length] as string,
    value: from + index,
  }));
  for (let at = 0; at < count; at += 200) {
    await appendUpdates(api.redis, tenant.workspaceId, wanted.slice(at, at + 200));
  }
  running.touch(tenant.workspaceId);
}

const numbers = () => receiver.events.map(({ data }) => data.update?.value);
const untilReceived = (count: number) => eventually(() => receiver.received.length >= count);
/** Until when the receiver of a webhook has asked to wait; null where it has not, or nobody has noted it yet. */
const pausedUntil = (id: string) =>
  api.redis.hget(lineKey({ id, workspaceId: tenant.workspaceId }, 'state'), 'pausedUntil');
const deliveries = async (id: string, status = '') =>
  (await api.ok('GET', `/v1/webhooks/${id}/deliveries?limit=100${status && `&status=${status}`}`)).data;
const show = (id: string) => api.ok('GET', `/v1/webhooks/${id}`);
const accountIds = async (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const wanted = { name: 'x', workspaceId: tenant.workspaceId, driver: 'sandbox' };
      return (await api.ok('POST', '/v1/messenger-accounts', wanted)).id as string;
    }),
  );

describe('an update', () => {
  test('arrives as it stands on the stream, signed for both libraries, once', async () => {
    start();
    const { id, secret } = await aWebhook();
    await append(0, 3);
    await untilReceived(3);
    const stream = await api.ok('GET', `/v1/workspaces/${tenant.workspaceId}/updates`);
    expect(receiver.events).toEqual(
      stream.map((entry: { kind: string; timestamp: string }) => ({
        type: entry.kind,
        timestamp: entry.timestamp,
        data: entry,
      })),
    );
    for (const { headers, body } of receiver.received) {
      const given = headers as Record<string, string>;
      expect(new StandardWebhook(secret).verify(body, given)).toEqual(JSON.parse(body));
      expect(new SvixWebhook(secret).verify(body, given)).toEqual(JSON.parse(body));
      expect(headers['content-type']).toBe('application/json');
    }
    const log = await eventually(async () => {
      const found = await deliveries(id, 'succeeded');
      return found.length === 3 && found;
    });
    expect(log.map((found: { id: string }) => found.id)).toEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
    );
    expect(log[0]).toMatchObject({
      status: 'succeeded',
      attempts: [{ statusCode: 204, error: null, durationMs: expect.any(Number) }],
      nextAttemptAt: null,
      settledAt: expect.any(String),
    });
    expect(receiver.received).toHaveLength(3);
  });

  test('is signed with the secrets of before and after a rotation', async () => {
    start();
    const { id, secret } = await aWebhook();
    const rotated = await api.ok('POST', `/v1/webhooks/${id}/rotate-secret`);
    await append(0, 1);
    await untilReceived(1);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const each of [secret, rotated.secret]) {
      expect(new StandardWebhook(each).verify(body, headers as Record<string, string>)).toBeTruthy();
      expect(new SvixWebhook(each).verify(body, headers as Record<string, string>)).toBeTruthy();
    }
  });

  test('goes only to those that want it, and never to another workspace', async () => {
    start();
    const [other] = await accountIds(1);
    await aWebhook({ url: `${receiver.url}/kind`, kinds: ['RawUpdateConfig'] });
    await aWebhook({ url: `${receiver.url}/account`, messengerAccountIds: [other] });
    const mine = tenant;
    tenant = await api.aTenant();
    await aWebhook({ url: `${receiver.url}/foreign` });
    tenant = mine;
    await appendUpdates(api.redis, mine.workspaceId, [
      { accountId: mine.accountId, kind: 'updateConfig', value: 1 },
      { accountId: mine.accountId, kind: 'updatePtsChanged', value: 2 },
      { accountId: other as string, kind: 'updatePtsChanged', value: 3 },
      { accountId: null, kind: 'updateConfig', value: 4 },
    ]);
    running.touch(mine.workspaceId);
    await untilReceived(3);
    await new Promise((resolve) => setTimeout(resolve, 700));
    const got = receiver.received.map(({ path, body }) => [path, JSON.parse(body).data.update.value]);
    expect(got.toSorted()).toEqual([
      ['/hook/account', 3],
      ['/hook/kind', 1],
      ['/hook/kind', 4],
    ]);
  });

  test('keeps its place: 1,200 updates of eight accounts arrive in order, each once', async () => {
    start();
    await aWebhook();
    const ids = await accountIds(8);
    const appended = append(0, 600, ids);
    await appended;
    await append(600, 600, ids);
    await eventually(() => receiver.received.length >= 1_200, { timeoutMs: 60_000 });
    const byAccount = new Map<string, number[]>();
    for (const { data } of receiver.events) {
      byAccount.set(data.messengerAccountId, [
        ...(byAccount.get(data.messengerAccountId) ?? []),
        data.update.value,
      ]);
    }
    for (const got of byAccount.values()) expect(got).toEqual(got.toSorted((a, b) => a - b));
    expect(numbers().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_200 }, (_, index) => index));
  }, 90_000);

  test('arrives once and in order, however many workers feed and settle its webhook', async () => {
    start();
    const first = running;
    start();
    const second = running;
    try {
      await aWebhook();
      const touchBoth = () => {
        for (const one of [first, second]) one.touch(tenant.workspaceId);
      };
      for (let at = 0; at < 300; at += 30) {
        await append(at, 30);
        touchBoth();
      }
      await untilReceived(300);
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(numbers()).toEqual(Array.from({ length: 300 }, (_, index) => index));
    } finally {
      await first.close(2_000);
    }
  });

  test('is found by the sweep if nobody was told of it', async () => {
    start();
    await aWebhook();
    await appendUpdates(api.redis, tenant.workspaceId, [{ accountId: tenant.accountId, value: 7 }]);
    await untilReceived(1);
    expect(numbers()).toEqual([7]);
  });
});

describe('a receiver', () => {
  test('that fails for long holds its line up, and has everything in order once it is back', async () => {
    start();
    const { id } = await aWebhook();
    receiver.answer = (_, count) => (count < 5 ? 500 : 204);
    await append(0, 4);
    await untilReceived(9);
    expect(numbers()).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3]);
    const [first] = await eventually(async () => {
      const found = await deliveries(id, 'succeeded');
      return found.length === 4 && found;
    });
    expect(first.attempts.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([
      ...Array(5).fill(500),
      204,
    ]);
    const gaps = receiver.received
      .slice(1, 6)
      .map(({ at }, index) => at - (receiver.received[index]?.at ?? 0));
    for (const [index, gap] of gaps.entries())
      expect(gap).toBeGreaterThanOrEqual((DELAYS[index] as number) - 1);
  });

  test('that never comes back is given up on after ten attempts, and recovered later in order', async () => {
    start({ retryDelays: DELAYS.map(() => 20) });
    const { id } = await aWebhook();
    receiver.answer = () => 503;
    const since = new Date().toISOString();
    await append(0, 3);
    const failed = await eventually(async () => {
      const found = await deliveries(id, 'failed');
      return found.length === 3 && found;
    });
    expect(failed.map(({ attempts }: { attempts: unknown[] }) => attempts.length)).toEqual([10, 10, 10]);
    expect(receiver.received).toHaveLength(30);
    receiver.answer = () => 204;
    receiver.received.length = 0;
    const late = new Date(Date.now() + 60_000).toISOString();
    const recover = (body: object) => api.request('POST', `/v1/webhooks/${id}/recover`, body);
    expect(await recover({ since: late })).toMatchObject({ status: 202, body: { requeued: 0 } });
    expect(await recover({ since })).toMatchObject({ status: 202, body: { requeued: 3 } });
    await untilReceived(3);
    expect(numbers()).toEqual([0, 1, 2]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      failed.map((found: { id: string }) => found.id),
    );
    await eventually(async () => (await deliveries(id, 'succeeded')).length === 3);
    expect(await deliveries(id, 'failed')).toEqual([]);
  });

  test('that refuses one delivery does not hold up the others', async () => {
    // Long enough for a busy machine to send the others before it is tried again.
    start({ retryDelays: [1_500, 150, 200] });
    const { id } = await aWebhook();
    const wasRefused = new Set<string>();
    receiver.answer = ({ body }) => {
      const { data } = JSON.parse(body);
      if (data.update.value !== 1 || wasRefused.size === 3) return 204;
      wasRefused.add(`${wasRefused.size}`);
      return wasRefused.size === 2
        ? (_, response) => response.writeHead(302, { location: `${receiver.url}/x` }).end()
        : 422;
    };
    await append(0, 4);
    await untilReceived(7);
    expect(numbers()).toEqual([0, 1, 2, 3, 1, 1, 1]);
    expect(receiver.received.every(({ path }) => path === '/hook')).toBe(true);
    await eventually(async () => (await deliveries(id, 'succeeded')).length === 4);
  });

  test('that is slow is not waited for', async () => {
    start({ attemptMs: 3_000 });
    const { id } = await aWebhook();
    receiver.answer = (_, count) => (count === 0 ? () => undefined : 204);
    await append(0, 2);
    await untilReceived(3);
    expect(numbers()).toEqual([0, 0, 1]);
    const [first] = await deliveries(id);
    expect(first.attempts[0]).toMatchObject({ statusCode: null, error: 'no answer within 3000 ms' });
  });

  test('may ask to wait longer than the schedule would, for all of its lines', async () => {
    start();
    const { id } = await aWebhook();
    const [other] = await accountIds(1);
    receiver.answer = (_, count) =>
      count === 0 ? (_request, response) => response.writeHead(429, { 'retry-after': '2' }).end() : 204;
    await append(0, 1);
    await eventually(() => pausedUntil(id));
    await append(1, 1, [other as string]);
    await untilReceived(3);
    const [first, second, third] = receiver.received.map(({ at }) => at) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(1_900);
    expect(third - first).toBeGreaterThanOrEqual(1_900);
  });

  test.each([
    ['with what was put aside', 2],
    ['in its answer to what was put aside', 1],
  ])('may ask to wait %s', async (_, count) => {
    start({ retryDelays: [300, 300] });
    const { id } = await aWebhook();
    receiver.answer = (_delivery, before) => {
      if (before === 0) return 404;
      return before === 1 ? (_, response) => response.writeHead(429, { 'retry-after': '2' }).end() : 204;
    };
    // Of two, the second is answered while the first is aside.
    await append(0, count);
    await eventually(() => pausedUntil(id));
    await append(count, 1);
    await untilReceived(3);
    const [, second, third] = receiver.received.map(({ at }) => at) as [number, number, number];
    expect(third - second).toBeGreaterThanOrEqual(1_900);
  });

  test('that asks to wait is left alone, whatever it takes or asks for of what it got before', async () => {
    start();
    const { id } = await aWebhook();
    const ids = await accountIds(3);
    const answers: ((statusCode: number, retryAfter?: string) => void)[] = [];
    receiver.answer = () => (_, response) =>
      answers.push((statusCode, retryAfter) =>
        response.writeHead(statusCode, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(),
      );
    await append(0, 3, ids);
    await eventually(() => answers.length === 3);
    answers[0]?.(429, '3600');
    const until = await eventually(() => pausedUntil(id));
    answers[1]?.(503, '0');
    answers[2]?.(204);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(answers).toHaveLength(3);
    expect(await pausedUntil(id)).toBe(until);
  });

  test.each([
    ['takes a ping', 'ping', undefined, 3],
    ['is recovered', 'recover', { since: new Date() }, 2],
  ])('that asks to wait and %s has its lines tried at once', async (_, action, body, count) => {
    start();
    const { id } = await aWebhook();
    receiver.answer = onceAsksToWait;
    await append(0, 1);
    await eventually(async () => (await deliveries(id))[0]?.attempts.length === 1);
    await api.ok('POST', `/v1/webhooks/${id}/${action}`, body);
    await untilReceived(count);
  });

  test('that has asked a worker of an earlier release to wait, and takes a ping, has its lines tried at once', async () => {
    start();
    const { id } = await aWebhook();
    const state = lineKey({ id, workspaceId: tenant.workspaceId }, 'state');
    await api.redis.hset(state, { pausedUntil: Date.now() + 3_600_000 });
    await append(0, 1);
    await api.ok('POST', `/v1/webhooks/${id}/ping`);
    await untilReceived(2);
    expect(await api.redis.hget(state, 'pausedUntil')).toBeNull();
  });

  test('that asks to wait is sent a ping at once', async () => {
    start();
    const { id } = await aWebhook();
    receiver.answer = onceAsksToWait;
    await append(0, 1);
    await untilReceived(1);
    await api.ok('POST', `/v1/webhooks/${id}/ping`);
    await untilReceived(2);
    expect(receiver.events[1].type).toBe('webhook.ping');
  });

  test('that is gone is sent nothing more, until the webhook is enabled again', async () => {
    start();
    const { id } = await aWebhook();
    receiver.answer = () => 410;
    await append(0, 3);
    await eventually(async () => (await show(id)).status === 'disabled');
    expect(await show(id)).toMatchObject({ disabledReason: 'gone', disabledAt: expect.any(String) });
    await append(3, 2);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.received).toHaveLength(1);
    expect((await api.request('POST', `/v1/webhooks/${id}/recover`, { since: new Date() })).status).toBe(409);
    receiver.answer = () => 204;
    await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    await untilReceived(6);
    expect(numbers()).toEqual([0, 0, 1, 2, 3, 4]);
  });

  test('of which nothing but failure was heard for days is disabled', async () => {
    start({ retryDelays: DELAYS.map(() => 20), failingMaxMs: 400 });
    const { id } = await aWebhook();
    receiver.answer = () => 500;
    await append(0, 5);
    await eventually(async () => (await show(id)).status === 'disabled');
    expect(await show(id)).toMatchObject({ disabledReason: 'failing' });
    expect((await deliveries(id, 'queued')).length).toBeGreaterThan(0);
    // Whoever enables it again has as long as at first.
    await running.close(2_000);
    start({ retryDelays: DELAYS.map(() => 20) });
    const before = receiver.received.length;
    await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    await untilReceived(before + 3);
    expect(await show(id)).toMatchObject({ status: 'enabled', disabledReason: null });
  });

  test('is disabled once nothing but failure was heard of it for five days, and no sooner', async () => {
    const DAY_MS = 24 * 3_600_000;
    const { id } = await aWebhook();
    const state = lineKey({ id, workspaceId: tenant.workspaceId }, 'state');
    receiver.answer = () => 500;
    const failAgain = async (days: number) => {
      start();
      await api.redis.hset(state, { failures: 20, failingSince: Date.now() - days * DAY_MS });
      const before = receiver.received.length;
      await api.ok('POST', `/v1/webhooks/${id}/ping`);
      await untilReceived(before + 1);
      // What is being sent is judged before.
      await running.close(2_000);
    };
    await failAgain(4.9);
    expect(await show(id)).toMatchObject({ status: 'enabled' });
    await failAgain(5.1);
    expect(await show(id)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  test('is sent another ping while it takes its time for one', async () => {
    start();
    const { id } = await aWebhook();
    receiver.answer = (_, count) => (count === 0 ? () => undefined : 204);
    const first = await api.ok('POST', `/v1/webhooks/${id}/ping`);
    await untilReceived(1);
    const second = await api.ok('POST', `/v1/webhooks/${id}/ping`);
    expect(second.id).not.toBe(first.id);
    await untilReceived(2);
  });

  test('has hundreds of lines and refused deliveries tried after one ping, no more than a few at a time', async () => {
    // No sweep has any of them sent.
    start({ retryDelays: [600_000], sweepEveryMs: 3_600_000 });
    const { id } = await aWebhook();
    const ids = Array.from({ length: 260 }, () => newId('messengerAccount'));
    receiver.answer = ({ body }) => (JSON.parse(body).data.update.value % 2 === 0 ? 500 : 422);
    await append(0, 260, ids);
    await eventually(() => receiver.received.length >= 260, { timeoutMs: 60_000 });
    let underWay = 0;
    let most = 0;
    receiver.received.length = 0;
    receiver.answer = () => (_, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(204).end();
      }, 5);
    };
    await api.ok('POST', `/v1/webhooks/${id}/ping`);
    await eventually(() => receiver.received.length >= 261, { timeoutMs: 60_000 });
    expect(receiver.received).toHaveLength(261);
    expect(most).toBeLessThanOrEqual(8);
  }, 90_000);

  test('that takes some and fails others is not tried again with each that it takes', async () => {
    start({ retryDelays: [600_000] });
    await aWebhook();
    const [failing, fine] = [newId('messengerAccount'), newId('messengerAccount')];
    receiver.answer = ({ body }) => (JSON.parse(body).data.messengerAccountId === failing ? 500 : 204);
    await append(0, 1, [failing]);
    await untilReceived(1);
    for (let at = 1; at <= 20; at += 1) {
      await append(at, 1, [fine]);
      await untilReceived(1 + at);
    }
    await eventually(() => numbers().includes(20));
    const tries = () => numbers().filter((value) => value === 0).length;
    await eventually(() => tries() > 1);
    const seconds = (Date.now() - (receiver.received[0]?.at ?? 0)) / 1_000;
    expect(tries()).toBeLessThanOrEqual(3 + seconds);
  });

  test('that fails one account for long is tried for it less and less often, and at once when that is asked for', async () => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    const [failing, fine] = [newId('messengerAccount'), newId('messengerAccount')];
    let isBack = false;
    receiver.answer = ({ body }) =>
      JSON.parse(body).data?.messengerAccountId === failing && !isBack ? 500 : 204;
    await append(0, 1, [failing]);
    await untilReceived(1);
    const tries = () => numbers().filter((value) => value === 0).length;
    const state = lineKey({ id, workspaceId: tenant.workspaceId }, 'state');
    const wakes = async () => Number(await api.redis.hget(state, 'wakes'));
    const until = Date.now() + 8_000;
    // A machine that stands still for a while takes longer for as many.
    const mayGoOn = async () => Date.now() < until || (Date.now() < until + 60_000 && (await wakes()) < 3);
    for (let at = 1; await mayGoOn(); at += 1) {
      await append(at, 1, [fine]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await wakes()).toBeGreaterThan(2);
    // Once at first, and after 1, 2, 4 s.
    await eventually(() => tries() > 2);
    expect(tries()).toBeLessThanOrEqual(5);
    const before = tries();
    isBack = true;
    await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    await eventually(() => tries() > before, { timeoutMs: 3_000 });
    await eventually(async () => (await deliveries(id, 'queued')).length === 0);
    // One more, and one that was due at the same time.
    expect(tries()).toBeLessThanOrEqual(before + 2);
  });

  test('that takes again what it has failed is soon tried for all, however long it had failed', async () => {
    start({ retryDelays: [1_500, 600_000] });
    const { id } = await aWebhook();
    const [first, second, fine] = Array.from({ length: 3 }, () => newId('messengerAccount')) as [
      string,
      string,
      string,
    ];
    const keyOf = (part: 'state' | 'holds') => lineKey({ id, workspaceId: tenant.workspaceId }, part);
    let isBack = false;
    receiver.answer = ({ body }) => (isBack || JSON.parse(body).data.messengerAccountId === fine ? 204 : 500);
    await append(0, 1, [second]);
    await eventually(async () => (await deliveries(id, 'queued'))[0]?.attempts.length === 1);
    await api.redis.zadd(keyOf('holds'), 'XX', Date.now() + 600_000, second);
    // The next wake for a success is minutes away.
    await api.redis.hset(keyOf('state'), { wakes: 9, wokenAt: Date.now() });
    await append(1, 1, [fine]);
    await eventually(() => numbers().includes(1));
    await append(2, 1, [first]);
    await eventually(() => numbers().includes(2));
    isBack = true;
    await eventually(() => numbers().filter((value) => value === 0).length === 2, { timeoutMs: 10_000 });
    expect(Number(await api.redis.hget(keyOf('state'), 'wakes'))).toBeLessThan(9);
  });

  test.each([
    ['one account', 500],
    ['one delivery', 422],
  ])('that fails %s while it takes others has its retries at their time all the same', async (_, status) => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    const [failing, fine] = [newId('messengerAccount'), newId('messengerAccount')];
    receiver.answer = ({ body }) => (JSON.parse(body).data.messengerAccountId === failing ? status : 204);
    await append(0, 1, [failing]);
    const [first] = await eventually(async () => {
      const found = await deliveries(id, 'queued');
      return found[0]?.attempts.length === 1 && found;
    });
    let sent = 0;
    const [tried] = await eventually(
      async () => {
        sent += 1;
        if (status === 500) await append(sent, 1, [fine]);
        else await api.ok('POST', `/v1/webhooks/${id}/ping`);
        const found = (await deliveries(id)).slice(0, 1);
        return found[0].attempts.length >= 4 && found;
      },
      { everyMs: 200 },
    );
    expect(tried).toMatchObject({ id: first.id, status: 'queued', nextAttemptAt: first.nextAttemptAt });
  });

  test('has its lines tried at once when a ping gets through', async () => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    const ids = await accountIds(3);
    receiver.answer = () => 500;
    await append(0, 6, ids);
    await untilReceived(3);
    receiver.answer = () => 204;
    const ping = await api.request('POST', `/v1/webhooks/${id}/ping`);
    expect(ping).toMatchObject({ status: 202, body: { kind: 'webhook.ping', status: 'queued' } });
    await untilReceived(10);
    expect(receiver.events.filter(({ type }) => type === 'webhook.ping')).toHaveLength(1);
    const found = await eventually(async () => {
      const seen = await api.ok('GET', ping.headers.get('location') as string);
      return seen.status === 'succeeded' && seen;
    });
    expect(found.attempts).toHaveLength(1);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['a ping gets through', (id) => api.ok('POST', `/v1/webhooks/${id}/ping`)],
    ['recovery is asked for', (id) => api.ok('POST', `/v1/webhooks/${id}/recover`, { since: new Date() })],
    [
      'it is given another address',
      (id) => api.ok('PATCH', `/v1/webhooks/${id}`, { url: `${receiver.url}?new` }),
    ],
  ])('has what it refused at once when %s', async (_, mend) => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    receiver.answer = () => 404;
    await append(0, 3);
    await untilReceived(3);
    receiver.answer = () => 204;
    await mend(id);
    await eventually(async () => (await deliveries(id, 'queued')).length === 0);
    const sent = receiver.events.filter(({ type }) => type !== 'webhook.ping');
    expect(sent.map(({ data }) => data.update.value).sort()).toEqual([0, 0, 1, 1, 2, 2]);
  });

  /** Has the receiver keep the deliveries `from` to `to` waiting for their answer, and take all others; gives what it keeps. */
  function withhold(from: number, to = from): ServerResponse[] {
    const withheld: ServerResponse[] = [];
    receiver.answer = (_, count) =>
      count >= from && count <= to ? (_request, response) => withheld.push(response) : 204;
    return withheld;
  }

  const fail = (response: ServerResponse | undefined, status: number) => response?.writeHead(status).end();

  /** Until a retry of everything that was asked for is over. */
  const untilWoken = async (id: string) => {
    const state = lineKey({ id, workspaceId: tenant.workspaceId }, 'state');
    await eventually(async () => !(await api.redis.hmget(state, 'wake', 'wakeAside')).some(Boolean));
  };

  const askToRecover = (id: string) =>
    api.ok('POST', `/v1/webhooks/${id}/recover`, { since: new Date().toISOString() });

  test.each<[string, number, (id: string) => Promise<unknown>]>([
    ['recovery is asked for', 503, askToRecover],
    ['recovery is asked for, and then refuses it,', 404, askToRecover],
    [
      'a ping gets through',
      503,
      async (id) => {
        await api.ok('POST', `/v1/webhooks/${id}/ping`);
        await eventually(async () => (await deliveries(id, 'succeeded')).length === 1);
      },
    ],
    [
      'its webhook is enabled again',
      503,
      async (id) => {
        await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
        await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
      },
    ],
    [
      'a later one of its line is resent',
      503,
      async (id) => {
        const [, second] = await deliveries(id, 'queued');
        await api.ok('POST', `/v1/webhooks/${id}/deliveries/${second.id}/resend`);
      },
    ],
  ])('that has not answered yet when %s has the delivery again at once', async (_, status, ask) => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    const withheld = withhold(0);
    await append(0, 2);
    await eventually(async () => withheld.length === 1 && (await deliveries(id, 'queued')).length === 2);
    await ask(id);
    await untilWoken(id);
    fail(withheld[0], status);
    await eventually(async () => (await deliveries(id, 'queued')).length === 0);
    expect(numbers().filter((value) => value !== undefined)).toEqual([0, 0, 1]);
  });

  test.each<[string, (id: string, deliveryId: string) => Promise<unknown>]>([
    ['recovery is asked for', askToRecover],
    [
      'it is resent',
      (id, deliveryId) => api.ok('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/resend`),
    ],
  ])('that has not answered what was put aside when %s has it again at once', async (_, ask) => {
    start({ retryDelays: [600_000, 600_000] });
    const { id } = await aWebhook();
    receiver.answer = () => 404;
    await append(0, 1);
    const [{ id: deliveryId }] = await eventually(async () => {
      const found = await deliveries(id, 'queued');
      return found[0]?.attempts.length === 1 && found;
    });
    const withheld = withhold(1);
    await askToRecover(id);
    await eventually(() => withheld.length === 1);
    await ask(id, deliveryId);
    await untilWoken(id);
    fail(withheld[0], 404);
    await eventually(async () => (await deliveries(id, 'queued')).length === 0);
    expect(numbers()).toEqual([0, 0, 0]);
  });

  test('that fails again what it has at once has it next when it would have been without', async () => {
    start({ retryDelays: [600_000, 6_000_000] });
    const { id } = await aWebhook();
    const withheld = withhold(0, 1);
    await append(0, 1);
    await eventually(() => withheld.length === 1);
    await askToRecover(id);
    await untilWoken(id);
    fail(withheld[0], 503);
    await eventually(() => withheld.length === 2);
    fail(withheld[1], 503);
    const [failed] = await eventually(async () => {
      const found = await deliveries(id, 'queued');
      return found[0]?.attempts.length === 2 && found;
    });
    const waits = Date.parse(failed.nextAttemptAt) - Date.parse(failed.attempts[0].at);
    expect(waits).toBeGreaterThanOrEqual(600_000);
    expect(waits).toBeLessThan(6_000_000);
    const holds = lineKey({ id, workspaceId: tenant.workspaceId }, 'holds');
    expect(Number(await api.redis.zscore(holds, tenant.accountId))).toBe(Date.parse(failed.nextAttemptAt));
  });

  test('is not disabled for what another address has failed', async () => {
    start();
    const { id } = await aWebhook();
    const state = lineKey({ id, workspaceId: tenant.workspaceId }, 'state');
    const failing = { failures: 20, failingSince: Date.now() - 6 * 24 * 3_600_000 };
    await api.redis.hset(state, failing);
    // The same address has no new start.
    await api.ok('PATCH', `/v1/webhooks/${id}`, { url: receiver.url });
    expect(await api.redis.hget(state, 'failures')).toBe('20');
    receiver.answer = () => 503;
    await api.ok('PATCH', `/v1/webhooks/${id}`, { url: `${receiver.url}?new` });
    await append(0, 1);
    await untilReceived(2);
    expect(await show(id)).toMatchObject({ status: 'enabled' });
  });

  test('has its lines tried at once at another address, whatever the old one has asked for', async () => {
    start();
    const { id } = await aWebhook();
    receiver.answer = ({ path }) =>
      path.endsWith('?new')
        ? 204
        : (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    await append(0, 1);
    await eventually(async () => (await deliveries(id))[0]?.attempts.length === 1);
    await api.ok('PATCH', `/v1/webhooks/${id}`, { url: `${receiver.url}?new` });
    await untilReceived(2);
  });

  test('whose address changes while it is sent to has no more say', async () => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    let refuse = () => undefined as unknown;
    receiver.answer = ({ path }) =>
      path.endsWith('?new')
        ? 204
        : (_request, response) => {
            refuse = () => response.writeHead(429, { 'retry-after': '86400' }).end();
          };
    await append(0, 2);
    await untilReceived(1);
    await api.ok('PATCH', `/v1/webhooks/${id}`, { url: `${receiver.url}?new` });
    // What the change set off is over by then.
    await new Promise((resolve) => setTimeout(resolve, 300));
    refuse();
    await untilReceived(3);
    expect(numbers()).toEqual([0, 0, 1]);
  });

  test('is not sent to beyond a few at a time', async () => {
    start();
    await aWebhook();
    let busy = 0;
    let most = 0;
    receiver.answer = () => (_, response) => {
      busy += 1;
      most = Math.max(most, busy);
      setTimeout(() => {
        busy -= 1;
        response.writeHead(204).end();
      }, 50);
    };
    const ids = await accountIds(20);
    await append(0, 100, ids);
    await untilReceived(100);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('that hangs takes no more than its workspace may have, which others do not feel', async () => {
    start({ sweepEveryMs: 200 });
    const hanging: ServerResponse[] = [];
    receiver.answer = () => (_, response) => hanging.push(response);
    for (let count = 0; count < 4; count++) await aWebhook();
    const ids = await accountIds(8);
    await append(0, 8, ids);
    await eventually(() => hanging.length >= 16);
    const other = await api.aTenant();
    const prompt = await Receiver.start();
    const wanted = { workspaceId: other.workspaceId, url: prompt.url };
    await api.ok('POST', '/v1/webhooks', wanted);
    await appendUpdates(api.redis, other.workspaceId, [{ accountId: other.accountId, value: 0 }]);
    running.touch(other.workspaceId);
    await eventually(() => prompt.received.length === 1);
    // Long enough for everything that waits to have tried for a place again.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(hanging).toHaveLength(16);
    receiver.answer = () => 204;
    for (const response of hanging) response.writeHead(204).end();
    await untilReceived(32);
    expect(receiver.received).toHaveLength(32);
    await prompt.stop();
  }, 30_000);

  test('that hangs leaves the next place in its workspace to another, however many of its own wait', async () => {
    start({ sweepEveryMs: 3_600_000 });
    const ids = await accountIds(12);
    const hanging: ServerResponse[] = [];
    receiver.answer = ({ path }) => (path.endsWith('?hangs') ? (_, response) => hanging.push(response) : 204);
    for (let count = 0; count < 2; count += 1)
      await aWebhook({ url: `${receiver.url}?hangs`, messengerAccountIds: ids });
    const { id } = await aWebhook({ messengerAccountIds: [tenant.accountId] });
    await append(0, 12, ids);
    await eventually(() => hanging.length === 16);
    const crowd = lineKey({ id, workspaceId: tenant.workspaceId }, 'crowd');
    for (let at = 0; at < 3; at += 1) {
      const before = receiver.received.length;
      await append(12 + at, 1);
      await eventually(async () => (await api.redis.zcard(crowd)) > 0);
      hanging.shift()?.writeHead(204).end();
      await untilReceived(before + 2);
      expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(['/hook', '/hook?hangs']);
    }
    receiver.answer = () => 204;
    for (const response of hanging) response.writeHead(204).end();
    await untilReceived(27);
  });
});

test('a line that is due is sent by the sweep, also when its job is there for much later', async () => {
  start();
  const { id: webhookId } = await aWebhook();
  const { accountId: line, workspaceId } = tenant;
  const queue = new WebhookQueue(connection);
  await queue.add({ what: 'line', workspaceId, webhookId, line }, 3_600_000);
  await append(0, 1);
  await untilReceived(1);
  await queue.close();
});

test.each([['wake'], ['wakeAside']])(
  'a wake whose job was lost is found by the sweep by its %s',
  async (field) => {
    start({ retryDelays: [600_000] });
    const { id } = await aWebhook();
    const owner = { id, workspaceId: tenant.workspaceId };
    receiver.answer = () => 500;
    await append(0, 1);
    await eventually(async () => (await deliveries(id))[0]?.attempts.length === 1);
    receiver.answer = () => 204;
    await api.redis.hset(lineKey(owner, 'state'), field, 1);
    await untilReceived(2);
    const isAsked = async () =>
      (await api.redis.hmget(lineKey(owner, 'state'), 'wake', 'wakeAside')).some(Boolean);
    await eventually(async () => !(await isAsked()));
  },
);

test('metrics tell how deliveries ended, what waits and which webhooks are disabled', async () => {
  start({ retryDelays: [600_000] });
  const metric = (name: string, labels = '') =>
    eventually(async () => {
      const found = new RegExp(`^${name}${labels} ([1-9]\\d*)$`, 'm').exec(await registry.metrics());
      return found !== null && Number(found[1]);
    });
  const { id } = await aWebhook();
  await append(0, 2);
  expect(await metric('switchboard_webhook_attempts_total', '{verdict="taken"}')).toBeGreaterThan(0);
  await eventually(async () => (await deliveries(id, 'succeeded')).length === 2);
  expect(await metric('switchboard_webhook_deliveries_total', '{status="succeeded"}')).toBe(2);
  receiver.answer = () => 500;
  await append(2, 3);
  expect(await metric('switchboard_webhook_attempts_total', '{verdict="away"}')).toBe(1);
  expect(await metric('switchboard_webhook_deliveries_waiting')).toBeGreaterThanOrEqual(3);
  expect(await metric('switchboard_webhooks', '{status="enabled"}')).toBeGreaterThan(0);
  await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
  expect(await metric('switchboard_webhooks', '{status="disabled"}')).toBeGreaterThan(0);
});

test('one delivery may be sent again, with the same id', async () => {
  start();
  const { id } = await aWebhook();
  await append(0, 2);
  const [first] = await eventually(async () => {
    const found = await deliveries(id, 'succeeded');
    return found.length === 2 && found;
  });
  const path = `/v1/webhooks/${id}/deliveries/${first.id}`;
  expect(await api.request('POST', `${path}/resend`)).toMatchObject({
    status: 202,
    body: { status: 'queued' },
  });
  await untilReceived(3);
  expect(receiver.received[2]?.headers['webhook-id']).toBe(first.id);
  expect(numbers()).toEqual([0, 1, 0]);
  const again = await eventually(async () => {
    const found = await api.ok('GET', path);
    return found.status === 'succeeded' && found;
  });
  expect(again.attempts).toHaveLength(2);
});

test('one that waits is tried at once when it is resent', async () => {
  start({ retryDelays: [600_000] });
  const { id } = await aWebhook();
  receiver.answer = () => 500;
  await append(0, 2);
  await untilReceived(1);
  const [first] = await eventually(async () => {
    const found = await deliveries(id, 'queued');
    return found[0]?.attempts.length === 1 && found;
  });
  await append(2, 1);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(numbers()).toEqual([0]);
  receiver.answer = () => 204;
  const path = `/v1/webhooks/${id}/deliveries/${first.id}/resend`;
  expect(await api.request('POST', path)).toMatchObject({ status: 202, body: { status: 'queued' } });
  await untilReceived(4);
  expect(numbers()).toEqual([0, 0, 1, 2]);
});

test('one that waits because the receiver asked for it is tried at once when it is resent', async () => {
  start();
  const { id } = await aWebhook();
  receiver.answer = (_, count) =>
    count === 0 ? (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end() : 204;
  await append(0, 1);
  const [first] = await eventually(async () => {
    const found = await deliveries(id, 'queued');
    return found[0]?.attempts.length === 1 && found;
  });
  await api.ok('POST', `/v1/webhooks/${id}/deliveries/${first.id}/resend`);
  await untilReceived(2);
});

/** Trims all updates that there are now. */
async function trimAll(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await trimUpdates(api.redis, tenant.workspaceId, { maxAgeMs: 20, maxCount: 1_000 });
}

test('what was trimmed before it could be sent is told as a gap, to the receiver and on the webhook', async () => {
  start();
  const { id } = await aWebhook();
  await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
  await append(0, 5);
  await trimAll();
  await append(5, 2);
  await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
  await untilReceived(3);
  const gap = receiver.events.find(({ type }) => type === 'webhook.gap');
  expect(gap.data).toMatchObject({ webhookId: id, workspaceId: tenant.workspaceId });
  expect(gap.data.to > gap.data.from).toBe(true);
  expect(numbers().filter((value) => value !== undefined)).toEqual([5, 6]);
  expect((await show(id)).gap).toMatchObject({ from: gap.data.from, to: gap.data.to });
});

/** A delivery that was taken, and whose update was trimmed afterwards. */
async function aTrimmedDelivery(webhookId: string) {
  await append(0, 1);
  const [sent] = await eventually(async () => {
    const found = await deliveries(webhookId, 'succeeded');
    return found.length === 1 && found;
  });
  await trimAll();
  return sent;
}

test('what was trimmed while it waited in its line fails visibly, and is told as one gap', async () => {
  start({ retryDelays: [600_000] });
  const { id } = await aWebhook();
  receiver.answer = () => 500;
  await append(0, 2);
  await untilReceived(1);
  const [first, second] = await api.ok('GET', `/v1/workspaces/${tenant.workspaceId}/updates`);
  await trimAll();
  receiver.answer = () => 204;
  await api.ok('POST', `/v1/webhooks/${id}/recover`, { since: new Date().toISOString() });
  const failed = await eventually(async () => {
    const found = await deliveries(id, 'failed');
    return found.length === 2 && found;
  });
  expect(failed[0].attempts.at(-1)).toMatchObject({ error: 'the update is no longer kept' });
  await eventually(async () => (await deliveries(id, 'queued')).length === 0);
  const [gap, ...more] = receiver.events.filter(({ type }) => type === 'webhook.gap');
  expect(more).toEqual([]);
  expect(gap.data.from < first.offset && second.offset <= gap.data.to).toBe(true);
  expect((await show(id)).gap).toMatchObject({ from: gap.data.from, to: gap.data.to });
});

test('what was delivered before it was trimmed is no gap when it is resent', async () => {
  start();
  const { id } = await aWebhook();
  const sent = await aTrimmedDelivery(id);
  await api.ok('POST', `/v1/webhooks/${id}/deliveries/${sent.id}/resend`);
  await eventually(async () => (await deliveries(id, 'failed')).length === 1);
  expect((await show(id)).gap).toBeNull();
});

test('the log of one that was trimmed grows no longer, however often it is resent', async () => {
  start();
  const { id } = await aWebhook();
  const sent = await aTrimmedDelivery(id);
  for (let count = 1; count <= 22; count += 1) {
    await api.ok('POST', `/v1/webhooks/${id}/deliveries/${sent.id}/resend`);
    await eventually(async () => (await deliveries(id, 'queued')).length === 0);
  }
  const [failed] = await deliveries(id, 'failed');
  expect(failed.attempts).toHaveLength(20);
  expect(failed.attempts[0]).toMatchObject({ error: 'the update is no longer kept' });
});

test('what was trimmed says nothing of the receiver, which is not disabled for it', async () => {
  start({ retryDelays: [600_000], failingMaxMs: 50 });
  const { id } = await aWebhook();
  receiver.answer = () => 500;
  await append(0, 12);
  await untilReceived(1);
  await trimAll();
  await api.ok('POST', `/v1/webhooks/${id}/recover`, { since: new Date().toISOString() });
  await eventually(async () => (await deliveries(id, 'failed')).length === 12);
  await append(12, 1);
  await untilReceived(2);
  await running.close(2_000);
  expect((await deliveries(id, 'queued'))[0]).toMatchObject({ attempts: [{ statusCode: 500 }] });
  expect(await show(id)).toMatchObject({ status: 'enabled' });
});

test('a worker that stops finishes what it is sending, and begins nothing more', async () => {
  start();
  const { id } = await aWebhook();
  const sent: ServerResponse[] = [];
  receiver.answer = () => (_, response) => sent.push(response);
  await append(0, 10);
  await untilReceived(1);
  const closing = running.close(10_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const response of sent) response.writeHead(204).end();
  await closing;
  expect(numbers()).toEqual([0]);
  const [first, second] = await deliveries(id);
  expect(first).toMatchObject({ status: 'succeeded', attempts: [{ statusCode: 204 }] });
  expect(second).toMatchObject({ status: 'queued', attempts: [] });
});

test.each([1, 2])('a worker that stops before answer %i comes says nothing of the receiver', async (last) => {
  start();
  const { id } = await aWebhook();
  // The second one travels over the connection of the first.
  receiver.answer = (_, count) => (count < last - 1 ? 204 : () => undefined);
  await append(0, last);
  await untilReceived(last);
  await running.close(100);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(receiver.received).toHaveLength(last);
  expect((await deliveries(id)).at(-1)).toMatchObject({ status: 'queued', attempts: [] });
});

test('a sweep names the enabled webhooks for which something waits', async () => {
  // It names ten of them, and other tests leave some behind.
  const { data } = await api.ok('GET', '/v1/webhooks?limit=100');
  await Promise.all(data.map((left: { id: string }) => api.ok('DELETE', `/v1/webhooks/${left.id}`)));
  start({ sweepEveryMs: 3_600_000, retryDelays: [3_600_000] });
  receiver.answer = () => 500;
  const [late, disabled] = [await aWebhook(), await aWebhook()];
  await append(0, 3);
  await untilReceived(2);
  await eventually(async () => (await deliveries(late.id, 'queued')).length === 3);
  await aWebhook();
  await api.ok('PATCH', `/v1/webhooks/${disabled.id}`, { status: 'disabled' });
  const queue = new WebhookQueue(connection);
  await connection.del(directoryKey('webhook-sweep'));
  const totals = await sweepWebhooks(connection, queue, new AbortController().signal, 1_000);
  const found = totals?.furthestBehind ?? [];
  expect(found.filter(({ workspaceId }) => workspaceId === tenant.workspaceId)).toEqual([
    { id: late.id, workspaceId: tenant.workspaceId, waiting: 3, oldestMs: expect.any(Number) },
  ]);
  expect(found[0]?.oldestMs).toBe(totals?.oldestMs);
  await queue.close();
});

test('a sweep ends with its worker, whatever is left to look at', async () => {
  start();
  await aWebhook();
  const queue = new WebhookQueue(connection);
  await expect(sweepWebhooks(connection, queue, AbortSignal.abort(), 1_000)).rejects.toThrow('abort');
  await queue.close();
});

// A machine that stands still for as long as the lease lasts lets another worker sweep, too.
const STALLED = { retry: { count: 4, condition: /another sweep/ } };

test('no other worker sweeps until a sweep has ended, however long that takes', STALLED, async () => {
  start({ sweepEveryMs: 3_600_000 });
  const leaseMs = 300;
  const [queue, other] = [new WebhookQueue(connection), new WebhookQueue(connection)];
  const { id } = await aWebhook();
  await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
  const [text] = await api.redis.hmget(recordsKey('webhooks'), id);
  const ids = Array.from({ length: 20_000 }, () => newId('webhook'));
  for (let at = 0; at < ids.length; at += 1_000) {
    const some = ids.slice(at, at + 1_000);
    await api.redis.hset(
      recordsKey('webhooks'),
      Object.fromEntries(some.map((one) => [one, text as string])),
    );
    await api.redis.zadd(viewKey('webhooks', 'all'), ...some.flatMap((one) => [0, one]));
  }
  await api.redis.del(directoryKey('webhook-sweep'));
  const { signal } = new AbortController();
  let hasEnded = false;
  const swept = sweepWebhooks(connection, queue, signal, leaseMs).finally(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 2 * leaseMs));
  const wasOver = hasEnded;
  const another = await sweepWebhooks(api.redis, other, signal, leaseMs);
  expect(await swept).toMatchObject({ disabled: expect.any(Number) });
  await api.redis.hdel(recordsKey('webhooks'), ...ids);
  await api.redis.zrem(viewKey('webhooks', 'all'), ...ids);
  await Promise.all([queue.close(), other.close()]);
  expect(wasOver).toBe(false);
  expect(another, 'another sweep').toBeNull();
});

test('a deleted webhook is sent nothing more and leaves nothing behind', async () => {
  start();
  const { id } = await aWebhook();
  receiver.answer = () => 500;
  await append(0, 3);
  await untilReceived(1);
  await api.ok('DELETE', `/v1/webhooks/${id}`);
  const count = receiver.received.length;
  await append(3, 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(receiver.received.length - count).toBeLessThanOrEqual(1);
  await eventually(async () => (await api.redis.keys(`*${id}:*`)).length === 0);
});

test('a worker with another secret sends nothing and says why', async () => {
  start();
  const { id } = await aWebhook();
  await running.close(2_000);
  const log = openLogger(api.deps.config, 'test');
  const box = new SecretBox(Buffer.from('the secret of another installation'));
  running = startDeliveries(
    {
      connection,
      freshness: HALF_A_SECOND,
      tenants: new Tenants(connection, HALF_A_SECOND),
      tracing: NO_TRACING,
      box,
      log,
      allowPrivate: true,
      dnsServers: [],
      registry: new Registry(),
    },
    { retryDelays: [600_000], sweepEveryMs: 500 },
  );
  await append(0, 2);
  const [first, second] = await eventually(async () => {
    const seen = await deliveries(id);
    return seen[0]?.attempts.length > 0 && seen;
  });
  expect(first.attempts[0].error).toContain('SWITCHBOARD_SECRET');
  await running.close(2_000);
  // It holds its line, as nothing says that the receiver does not want it.
  expect((await deliveries(id))[1]).toEqual(second);
  expect(second.attempts).toEqual([]);
  start();
  await api.ok('POST', `/v1/webhooks/${id}/deliveries/${first.id}/resend`);
  await untilReceived(2);
  expect(numbers()).toEqual([0, 1]);
});

test('what cannot be signed waits, however often it was tried, and is sent once the secret is rotated', async () => {
  start({ retryDelays: [20], failingMaxMs: 0 });
  const { id } = await aWebhook();
  const other = new SecretBox(Buffer.from('the secret of before'));
  await patchRecord(api.redis, 'webhooks', id, {
    secrets: [{ sealed: other.seal(id, newSigningSecret()), until: null }],
  });
  await append(0, 2);
  const triedMoreThan = (count: number) =>
    eventually(async () => (await deliveries(id))[0]?.attempts.length > count);
  await triedMoreThan(12);
  expect(await deliveries(id, 'queued')).toHaveLength(2);
  expect(await show(id)).toMatchObject({ status: 'enabled' });
  await running.close(2_000);
  const before = (await deliveries(id))[0].attempts.length;
  start({ retryDelays: [600_000] });
  await triedMoreThan(before);
  await api.ok('POST', `/v1/webhooks/${id}/rotate-secret`);
  await untilReceived(2);
  expect(numbers()).toEqual([0, 1]);
});

test('what is queued for a webhook is bounded; the rest waits in the stream', async () => {
  start({ retryDelays: [600_000] });
  const { id } = await aWebhook();
  receiver.answer = () => 500;
  await append(0, 11_500);
  const length = () => api.redis.zcard(lineKey({ id, workspaceId: tenant.workspaceId }, 'log:queued'));
  await eventually(async () => (await length()) >= QUEUED_MAX);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await length()).toBeLessThan(QUEUED_MAX + 1_000);
  expect(receiver.received).toHaveLength(1);
  // Pings go beside that, and are bounded, too.
  const entries = Array.from({ length: QUEUED_MAX + 1_000 }, (_, at) => ['0', `dlv_${at}`]);
  await api.redis.zadd(lineKey({ id, workspaceId: tenant.workspaceId }, 'log:queued'), ...entries.flat());
  expect(await api.request('POST', `/v1/webhooks/${id}/ping`)).toMatchObject({ status: 409 });
}, 60_000);
