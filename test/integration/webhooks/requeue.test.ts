import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunRead } from '../../../src/directory/lists.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import {
  consumeWebhooks,
  type WebhookConsumer,
  type WebhookJob,
  WebhookQueue,
} from '../../../src/queue/webhook-queue.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { queuePrefix } from '../../../src/redis/keys.ts';
import {
  type Delivery,
  newDelivery,
  PING,
  pendingMemberOf,
  withAttempt,
} from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { requeue, requeueDelivery, requeueFailed } from '../../../src/webhooks/requeue-deliveries.ts';
import { settleDelivery } from '../../../workers/delivery/settle-delivery.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
/** Of two processes. */
let connections: [RedisConnection, RedisConnection];
let redis: RedisConnection;
let owner: { id: string; workspaceId: string };

beforeAll(async () => {
  server = await startTestRedis();
  connections = [1, 2].map(() => openRedis(server.url, 'worker', () => undefined)) as typeof connections;
  await Promise.all(connections.map(untilReady));
  [redis] = connections;
});

beforeEach(async () => {
  await redis.flushall();
  owner = { id: newId('webhook'), workspaceId: newId('workspace') };
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

const PARTS = [
  'pending',
  'aside',
  'deliveries',
  'settled',
  'log:queued',
  'log:succeeded',
  'log:failed',
] as const;

/** Keeps a delivery that is over since then. */
async function anEnded(
  status: 'failed' | 'succeeded',
  { settledAt = Date.now(), kind = 'RawUpdateConfig' } = {},
): Promise<Delivery> {
  const offset = `${String(settledAt).padStart(16, '0')}_${'1'.padStart(16, '0')}`;
  const fresh = newDelivery({ kind, offset, messengerAccountId: 'acc_1' });
  const record: Delivery = { ...fresh, status, tries: 10, settledAt: new Date(settledAt).toISOString() };
  await redis.hset(lineKey(owner, 'deliveries'), record.id, JSON.stringify(record));
  await redis.zadd(lineKey(owner, `log:${status}`), 0, record.id);
  await redis.zadd(lineKey(owner, 'settled'), settledAt, record.id);
  return record;
}

/** How many there are in each part that is kept of the webhook. */
async function counts(): Promise<Record<string, number>> {
  const found = PARTS.map(async (part): Promise<[string, number]> => {
    const key = lineKey(owner, part);
    return [part, part === 'deliveries' ? await redis.hlen(key) : await redis.zcard(key)];
  });
  return Object.fromEntries(await Promise.all(found));
}

const NONE = {
  pending: 0,
  aside: 0,
  deliveries: 0,
  settled: 0,
  'log:queued': 0,
  'log:succeeded': 0,
  'log:failed': 0,
};

it('two processes that queue the failed deliveries of one webhook again at once queue each of them once', async () => {
  const failed = await Promise.all(Array.from({ length: 450 }, () => anEnded('failed')));
  const [first, second] = connections;
  const requeued = await Promise.all([
    requeueFailed(first, owner, 0, { reads: first, run: (step) => step() }),
    requeueFailed(second, owner, 0, { reads: second, run: (step) => step() }),
  ]);
  expect(requeued[0] + requeued[1]).toBe(450);
  expect(await counts()).toEqual({ ...NONE, pending: 450, deliveries: 450, 'log:queued': 450 });
  const members = await redis.zrange(lineKey(owner, 'pending'), '0', '-1');
  expect(members).toEqual(failed.map(pendingMemberOf).sort());
  const records = (await redis.hvals(lineKey(owner, 'deliveries'))).map((text): Delivery => JSON.parse(text));
  for (const { status, tries, settledAt, nextAttemptAt } of records)
    expect([status, tries, settledAt, nextAttemptAt]).toEqual(['queued', 0, null, expect.any(String)]);
});

it('failed deliveries are read 50 at a time, on the connection for reads, and queued again 20 at a time', async () => {
  await Promise.all(Array.from({ length: 120 }, () => anEnded('failed')));
  const [first, second] = connections;
  const [read, queued, misplaced] = [
    vi.spyOn(second, 'hmget'),
    vi.spyOn(first, 'evalsha'),
    [vi.spyOn(first, 'hmget'), vi.spyOn(first, 'zrange'), vi.spyOn(second, 'evalsha')],
  ];
  const steps: string[] = [];
  let running = 0;
  const run: RunRead = async (step) => {
    expect(running).toBe(0);
    running += 1;
    const before = [read.mock.calls.length, queued.mock.calls.length] as const;
    const value = await step();
    running -= 1;
    const ids = read.mock.calls.slice(before[0]).reduce((sum, args) => sum + args.length - 1, 0);
    steps.push(ids > 0 ? `read ${ids}` : `queue ${queued.mock.calls.length - before[1]}`);
    return value;
  };
  await requeue.load(redis);
  expect(await requeueFailed(first, owner, 0, { reads: second, run })).toBe(120);
  const whole = ['read 50', 'queue 20', 'queue 20', 'queue 10'];
  expect(steps).toEqual([...whole, ...whole, 'read 20', 'queue 20']);
  expect(misplaced.map(({ mock }) => mock.calls)).toEqual([[], [], []]);
});

it('nothing is read for a time that lies ahead, and no more is queued once a step is refused', async () => {
  await Promise.all(Array.from({ length: 60 }, () => anEnded('failed')));
  let steps = 0;
  const run: RunRead = async (step) => {
    steps += 1;
    if (steps === 3) throw new Error('the caller is gone');
    return step();
  };
  expect(await requeueFailed(redis, owner, Date.now() + 60_000, { reads: redis, run })).toBe(0);
  expect(steps).toBe(0);
  await expect(requeueFailed(redis, owner, 0, { reads: redis, run })).rejects.toThrow('the caller is gone');
  expect(await counts()).toMatchObject({ pending: 20, 'log:failed': 40 });
});

it('of one delivery that two processes queue again at once, one has queued it', async () => {
  for (const status of ['failed', 'succeeded'] as const) {
    const delivery = await anEnded(status);
    const found = await Promise.all(connections.map((each) => requeueDelivery(each, owner, delivery)));
    expect(found.filter((record) => record !== null)).toMatchObject([{ id: delivery.id, status: 'queued' }]);
    expect(await requeueDelivery(redis, owner, delivery)).toBeNull();
  }
  expect(await counts()).toEqual({ ...NONE, pending: 2, deliveries: 2, 'log:queued': 2 });
});

it('what was attempted since it was read is queued again with that attempt', async () => {
  const attempt = { at: new Date().toISOString(), statusCode: 500, durationMs: 1, error: null };
  for (const status of ['queued', 'failed'] as const) {
    const ended = await anEnded('failed', { settledAt: Date.now() - 1_000 });
    const queued = (await requeueDelivery(redis, owner, ended)) as Delivery;
    await settleDelivery(redis, owner, withAttempt(queued, attempt), { to: 'failed' });
    const read = status === 'queued' ? queued : ended;
    const again = await requeueDelivery(redis, owner, read);
    expect(again).toMatchObject({ status: 'queued', tries: 0, attempts: [attempt] });
    expect(await redis.hget(lineKey(owner, 'deliveries'), ended.id)).toBe(JSON.stringify(again));
  }
});

it('what has succeeded since it was read does not count as failed', async () => {
  const ended = await anEnded('failed', { settledAt: Date.now() - 1_000 });
  const queued = (await requeueDelivery(redis, owner, ended)) as Delivery;
  await settleDelivery(redis, owner, queued, { to: 'succeeded' });
  expect(await requeueDelivery(redis, owner, ended, ({ status }) => status === 'failed')).toBeNull();
  expect(await counts()).toMatchObject({ pending: 0, 'log:succeeded': 1, settled: 1 });
});

it('queues what failed since a time, and no pings; one of those goes aside of all lines', async () => {
  const since = Date.now() - 60_000;
  await anEnded('failed', { settledAt: since - 1 });
  const exact = await anEnded('failed', { settledAt: since });
  const ping = await anEnded('failed', { kind: PING });
  await anEnded('succeeded');
  expect(await requeueFailed(redis, owner, since, { reads: redis, run: (step) => step() })).toBe(1);
  expect(await redis.zrange(lineKey(owner, 'pending'), '0', '-1')).toEqual([pendingMemberOf(exact)]);
  expect(await counts()).toMatchObject({ pending: 1, 'log:failed': 2, settled: 3, aside: 0 });
  expect(await requeueDelivery(redis, owner, ping)).not.toBeNull();
  expect(await redis.zrange(lineKey(owner, 'aside'), '0', '-1')).toEqual([ping.id]);
  expect(await counts()).toMatchObject({ pending: 1, 'log:failed': 1, settled: 2, aside: 1 });
});

describe('the jobs of webhooks', () => {
  const job: WebhookJob = { what: 'line', workspaceId: 'ws_1', webhookId: 'wh_1', line: 'acc_1' };
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  let queues: WebhookQueue[];
  let consumers: WebhookConsumer[];

  beforeEach(() => {
    queues = connections.map((connection) => new WebhookQueue(connection));
    consumers = [];
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.close(2_000)));
    await Promise.all(queues.map((queue) => queue.close()));
  });

  const consume = (handlers: Parameters<typeof consumeWebhooks>[0]['handlers']) => {
    for (const [at, connection] of connections.entries())
      consumers.push(
        consumeWebhooks({ connection, queue: queues[at] as WebhookQueue, handlers, concurrency: 4, log }),
      );
  };
  const jobs = () => redis.keys(`${queuePrefix(0)}:webhooks:line-*`);

  it('run one at a time for one line, and as long as there is more to do, whoever queues them again', async () => {
    let [left, running, most] = [0, 0, 0];
    const done: number[] = [];
    consume({
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        const item = left;
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (item > 0) {
          left -= 1;
          done.push(item);
        }
        running -= 1;
      },
      next: async () => (left > 0 ? 0 : null),
    });
    left = 60;
    await eventually(
      async () => {
        // Both say again and again that there is something to do.
        await Promise.all([...queues, ...queues].map((queue) => queue.add(job)));
        return left === 0;
      },
      { everyMs: 5 },
    );
    expect(most).toBe(1);
    expect(done).toEqual(Array.from({ length: 60 }, (_, at) => 60 - at));
    await eventually(async () => (await jobs()).length === 0);
  });

  it('are one job, however often and by whomever they are queued again', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => queues[at % 2]?.add(job, 60_000)));
    expect(await jobs()).toHaveLength(1);
    const others: WebhookJob[] = [
      { ...job, line: 'acc_2' },
      { what: 'feed', workspaceId: 'ws_1' },
      { what: 'wake', workspaceId: 'ws_1', webhookId: 'wh_1' },
      { what: 'delivery', workspaceId: 'ws_1', webhookId: 'wh_1', deliveryId: 'd_1' },
    ];
    for (const other of others) await queues[0]?.add(other, 60_000);
    expect(await redis.zcard(`${queuePrefix(0)}:webhooks:delayed`)).toBe(5);
  });

  it('that failed come again, a second later at the soonest', async () => {
    const ran: number[] = [];
    consume({
      run: async () => {
        ran.push(performance.now());
        if (ran.length === 1) throw new Error('not now');
      },
      next: async () => (ran.length < 2 ? 0 : null),
    });
    await queues[0]?.add(job);
    await eventually(() => ran.length === 2);
    // BullMQ reckons in whole milliseconds.
    expect((ran[1] as number) - (ran[0] as number)).toBeGreaterThan(990);
  });

  it('run at once when they are hurried', async () => {
    const [queue] = queues as [WebhookQueue];
    const delayed = () => redis.zcard(`${queuePrefix(0)}:webhooks:delayed`);
    const waiting = () => redis.llen(`${queuePrefix(0)}:webhooks:wait`);
    await queue.add(job, 60_000);
    expect([await delayed(), await waiting()]).toEqual([1, 0]);
    await queue.hurry(job);
    expect([await delayed(), await waiting()]).toEqual([0, 1]);
    await queue.hurry({ ...job, line: 'acc_2' });
    expect([await delayed(), await waiting()]).toEqual([0, 2]);
    await queue.add({ ...job, line: 'acc_3' }, 60_000);
    await queue.hurry({ ...job, line: 'acc_3' });
    expect([await delayed(), await waiting()]).toEqual([0, 3]);
  });
});
