import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import type { Webhook } from '../../../src/directory/collections.ts';
import { DELETIONS } from '../../../src/directory/deletions.ts';
import { recordsKey, viewKey } from '../../../src/directory/records.ts';
import { newId, timeOfId } from '../../../src/ids.ts';
import type { LaneShares } from '../../../src/queue/lane-shares.ts';
import type { WebhookJob } from '../../../src/queue/webhook-queue.ts';
import { floorKey } from '../../../src/redis/keys.ts';
import { readUpdates } from '../../../src/updates/read-updates.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { lineKey, lineKeys } from '../../../src/webhooks/line-keys.ts';
import { requestWake } from '../../../src/webhooks/request-wake.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { DeliveryRunner, type DeliveryRunnerOptions } from '../../../workers/delivery/delivery-runner.ts';
import { Feed } from '../../../workers/delivery/feed.ts';
import { LEASES_PER_WEBHOOK, type Lease, releaseLease, takeLease } from '../../../workers/delivery/lease.ts';
import { surveyLines } from '../../../workers/delivery/survey-lines.ts';
import { begin, endRelease, untilNextWake, wakeWebhook } from '../../../workers/delivery/wake-webhook.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { monitorCommands } from '../../support/redis/monitor.ts';
import { queue, redis, useWebhookQueue } from '../../support/redis/use-webhook-queue.ts';

useWebhookQueue();

const aWebhook = () =>
  ({
    ...{ id: newId('webhook'), workspaceId: newId('workspace'), organizationId: newId('organization') },
    ...{ kinds: null, messengerAccountIds: null, status: 'enabled' },
  }) as Webhook;

/** A webhook that has got all updates of its workspace. */
async function aWebhookAtTheEnd(): Promise<Webhook> {
  const webhook = aWebhook();
  await appendUpdates(redis, webhook.workspaceId, [{ value: 'before' }]);
  const { next: position } = await readUpdates(redis, webhook.workspaceId, 'end');
  await redis.hset(lineKey(webhook, 'state'), { position });
  await record(webhook);
  return webhook;
}

async function record(webhook: Webhook): Promise<void> {
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await redis.zadd(viewKey('webhooks', `workspace:${webhook.workspaceId}`), 0, webhook.id);
}

it('what a worker leaves undone that dies while it fills lines, the next one does, and nothing twice', async () => {
  const webhook = await aWebhookAtTheEnd();
  const { workspaceId } = webhook;
  const accountId = newId('messengerAccount');
  for (let n = 0; n < 3; n += 1)
    await appendUpdates(
      redis,
      workspaceId,
      Array.from({ length: 150 }, () => ({ accountId })),
    );
  let parts = 0;
  const dying = new Feed(redis, queue, workspaceId, async () => {
    parts += 1;
    if (parts === 2) throw new Error('dead');
  });
  await expect(dying.fill(webhook)).rejects.toThrow('dead');
  const queued = await redis.zcard(lineKey(webhook, 'log:queued'));
  expect(queued).toBeGreaterThan(0);
  expect(queued).toBeLessThan(450);

  await new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);
  const deliveries = await redis.hvals(lineKey(webhook, 'deliveries'));
  const offsets = deliveries.map((text) => JSON.parse(text).offset);
  expect([offsets.length, new Set(offsets).size]).toEqual([450, 450]);
});

it('reads what waits in slices, so that Redis is not busy with all of it at once, and once for all webhooks', async () => {
  const first = await aWebhookAtTheEnd();
  const { workspaceId } = first;
  const second = { ...first, id: newId('webhook') };
  const position = (await redis.hget(lineKey(first, 'state'), 'position')) ?? '';
  await redis.hset(lineKey(second, 'state'), { position });
  await record(second);
  const accountId = newId('messengerAccount');
  await appendUpdates(
    redis,
    workspaceId,
    Array.from({ length: 500 }, () => ({ accountId })),
  );
  let reads = 0;
  const monitor = await monitorCommands((redis as Redis).options.port as number, ([name], line) => {
    if (name?.startsWith('eval') && line.includes(floorKey(workspaceId))) reads += 1;
  });
  const feed = new Feed(redis, queue, workspaceId, async () => undefined);
  await feed.fill(first, second);
  // A slice has a hundred updates.
  await eventually(() => reads >= 5);
  monitor.destroy();
  expect(reads).toBe(5);
  for (const webhook of [first, second]) expect(await redis.zcard(lineKey(webhook, 'log:queued'))).toBe(500);
});

it('a changed filter holds for what comes after the change, also in a job that is under way', async () => {
  const webhook = await aWebhookAtTheEnd();
  const { workspaceId } = webhook;
  await record({ ...webhook, kinds: ['RawUpdateOther'] });
  await appendUpdates(redis, workspaceId, [{ accountId: newId('messengerAccount') }]);
  const fill = () => new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);
  await fill();
  expect(await redis.zcard(lineKey(webhook, 'log:queued'))).toBe(0);

  await record({ ...webhook, status: 'disabled' });
  await appendUpdates(redis, workspaceId, [{ accountId: newId('messengerAccount') }]);
  await fill();
  await record(webhook);
  await fill();
  expect(await redis.zcard(lineKey(webhook, 'log:queued'))).toBe(1);
});

it('no webhook waits for the backlog of another one of its workspace', async () => {
  const first = await aWebhookAtTheEnd();
  const { workspaceId } = first;
  const second = { ...first, id: newId('webhook') };
  const accountId = newId('messengerAccount');
  for (let n = 0; n < 25; n += 1)
    await appendUpdates(
      redis,
      workspaceId,
      Array.from({ length: 100 }, () => ({ accountId })),
    );
  const { next: position } = await readUpdates(redis, workspaceId, 'end');
  await redis.hset(lineKey(second, 'state'), { position });
  await record(second);
  await appendUpdates(redis, workspaceId, [{ accountId }]);
  let done = 0;
  const feed = new Feed(redis, queue, workspaceId, async () => {
    if ((await redis.zcard(lineKey(second, 'log:queued'))) > 0)
      done ||= await redis.zcard(lineKey(first, 'log:queued'));
  });
  await feed.fill(first, second);
  // A page has a thousand updates.
  expect(done).toBe(1_000);
  expect(await redis.zcard(lineKey(first, 'log:queued'))).toBe(2_501);
  expect(await redis.zcard(lineKey(second, 'log:queued'))).toBe(1);
});

it.each([true, false])('goes on after Redis has lost its position, with new updates: %s', async (hasNew) => {
  const { workspaceId } = await aWebhookAtTheEnd();
  await sleep(5);
  const webhook = { ...aWebhook(), workspaceId, gap: null };
  await record(webhook);
  // The clock may have been ahead in tests before, and ids increase all the same.
  await sleep(Math.max(0, timeOfId(webhook.id) - Date.now()) + 5);
  if (hasNew) await appendUpdates(redis, workspaceId, [{}]);
  const isBehind = async () => (await surveyLines(redis, webhook, { listsDue: false })).isBehind;
  expect(await isBehind()).toBe(true);
  await new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);
  expect(await isBehind()).toBe(false);
  const deliveries = await redis.hvals(lineKey(webhook, 'deliveries'));
  // What Redis may have lost with the position is a gap, unless the stream has gone on since.
  const kinds = deliveries.map((text) => JSON.parse(text).kind);
  expect(kinds).toEqual([hasNew ? 'RawUpdateConfig' : 'webhook.gap']);
  const { next } = await readUpdates(redis, workspaceId, 'end');
  expect(await redis.hget(lineKey(webhook, 'state'), 'position')).toBe(next);
});

it('of a deleted webhook nothing is left by a job that has read it before', async () => {
  const webhook = aWebhook();
  await appendUpdates(redis, webhook.workspaceId, [{ value: 'before' }]);
  await new Feed(redis, queue, webhook.workspaceId, async () => undefined).fill(webhook);
  expect(await redis.exists(...lineKeys(webhook))).toBe(0);
});

it('of many lines that it fills as many are started at once as may be sent', async () => {
  const webhook = await aWebhookAtTheEnd();
  const { workspaceId } = webhook;
  const ofTwenty = Array.from({ length: 20 }, () => ({ accountId: newId('messengerAccount') }));
  await appendUpdates(redis, workspaceId, ofTwenty);
  await new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);
  expect(await redis.keys(`*:line-${webhook.id}-*`)).toHaveLength(LEASES_PER_WEBHOOK);
});

it('lines that come one by one while as many are sent as may be wait without jobs, and held ones not at all', async () => {
  const webhook = await aWebhookAtTheEnd();
  const { workspaceId } = webhook;
  const leases = await Promise.all(
    Array.from({ length: LEASES_PER_WEBHOOK }, (_, at) => takeLease(redis, webhook, `hangs-${at}`, 60_000)),
  );
  const held = newId('messengerAccount');
  await redis.zadd(lineKey(webhook, 'holds'), Date.now() + 60_000, held);
  const accountIds = Array.from({ length: 20 }, () => newId('messengerAccount'));
  for (const accountId of [held, ...accountIds]) {
    await appendUpdates(redis, workspaceId, [{ accountId }]);
    await new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);
  }
  expect(await redis.keys(`*:line-${webhook.id}-*`)).toEqual([]);
  const { waiters } = await releaseLease(redis, leases[0] as Lease);
  expect(waiters).toEqual([{ webhookId: webhook.id, name: accountIds[0] }]);
  expect(await redis.zrange(lineKey(webhook, 'crowd'), '0', '-1')).toHaveLength(19);
  // A lease is free: what waits longest has it.
  await appendUpdates(redis, workspaceId, [{ accountId: held }]);
  await new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);
  expect(await redis.keys(`*:line-${webhook.id}-*`)).toEqual([
    expect.stringContaining(accountIds[1] as string),
  ]);
});

it('a webhook that is woken has no delivery tried that was put aside since', async () => {
  const webhook = aWebhook();
  const aside = lineKey(webhook, 'aside');
  const inAnHour = Date.now() + 3_600_000;
  await redis.hset(lineKey(webhook, 'state'), { position: '0', wakeAside: 1 });
  await redis.zadd(aside, inAnHour, 'dlv_1', inAnHour + 1, 'dlv_2');
  let commands = 0;
  const meanwhile = new Proxy(redis, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'evalsha' && name !== 'eval')
        return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: unknown[]) => {
        const answer = await value.apply(target, args);
        commands += 1;
        if (commands === 1) await redis.zadd(aside, inAnHour + 2, 'dlv_since');
        return answer;
      };
    },
  });
  await wakeWebhook(meanwhile, queue, webhook);
  expect(await redis.zrangebyscore(aside, '-inf', Date.now())).toEqual(['dlv_1', 'dlv_2']);
  expect(await redis.zscore(aside, 'dlv_since')).toBe(String(inAnHour + 2));
});

it('a wake that is sent twice, or whose worker dies in it, releases the deliveries put aside all the same', async () => {
  const webhook = aWebhook();
  const [state, holds, aside] = (['state', 'holds', 'aside'] as const).map((part) =>
    lineKey(webhook, part),
  ) as [string, string, string];
  const inAnHour = Date.now() + 3_600_000;
  await redis.hset(state, { position: '0' });
  await redis.zadd(aside, inAnHour, 'dlv_1');
  await requestWake(redis, queue, webhook, { aside: true });
  const longAgo = [Date.now() - 10_000, 1_000, 300_000];
  for (const _ of ['first', 'sent again'])
    expect(await begin.run(redis, [state, holds, aside], longAgo)).toEqual([1, '1']);
  await wakeWebhook(redis, queue, webhook);
  expect(await redis.zrangebyscore(aside, '-inf', Date.now())).toEqual(['dlv_1']);
  expect(await redis.hget(state, 'wakeAside')).toBeNull();
});

it('a wake whose worker died in it comes again', async () => {
  const webhook = aWebhook();
  const state = lineKey(webhook, 'state');
  await redis.hset(state, { position: '0', wokenAt: Date.now() - 10_000 });
  expect(await untilNextWake(redis, webhook)).toBeNull();
  await redis.hset(state, { wakeAside: 1 });
  expect(await untilNextWake(redis, webhook)).toBe(0);
});

it('a wake that is asked for during another one is not forgotten', async () => {
  const webhook = aWebhook();
  const state = lineKey(webhook, 'state');
  await redis.hset(state, { position: '0', wakeAside: 1 });
  await requestWake(redis, queue, webhook, { aside: true });
  await endRelease.run(redis, [state], ['1']);
  expect(await redis.hget(state, 'wakeAside')).toBe('2');
});

it('a line that gets no permit comes again after a while, also if so many wait that it cannot', async () => {
  const tenant = { organizationId: newId('organization'), workspaceId: newId('workspace'), weight: 1 };
  const { organizationId, workspaceId } = tenant;
  const webhook = { id: newId('webhook'), workspaceId, organizationId, status: 'enabled' } as Webhook;
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  const lines = [1, 2].map(() => newId('messengerAccount')) as [string, string];
  const deliveries = lines.map((messengerAccountId) =>
    newDelivery({ kind: 'RawUpdateConfig', offset: '1', messengerAccountId }),
  );
  expect(await appendDeliveries(redis, webhook, { from: '0', to: '1' }, deliveries)).toBe(true);
  const tenants = { find: async () => tenant };
  const runner = new DeliveryRunner({ redis, queue, tenants } as unknown as DeliveryRunnerOptions);
  const shares: LaneShares<WebhookJob> = Reflect.get(runner, 'shares');
  const [waiting, leftOut] = lines.map(
    (line): WebhookJob => ({ what: 'line', workspaceId, webhookId: webhook.id, line }),
  ) as [WebhookJob, WebhookJob];
  while (shares.take(tenant, 'holds a permit', waiting));
  await runner.run(waiting);
  for (let at = 0; at < 10_000; at += 1) shares.take(tenant, `waits ${at}`, waiting);
  await runner.run(leftOut);
  expect(shares.isWaiting(workspaceId, `${webhook.id} ${lines[0]}`)).toBe(true);
  expect(shares.isWaiting(workspaceId, `${webhook.id} ${lines[1]}`)).toBe(false);
  expect(await runner.next(waiting)).toBeGreaterThanOrEqual(2_000);
  expect(await runner.next(leftOut)).toBeGreaterThanOrEqual(2_000);
});

it('a feed does not come again and again for a webhook whose owner is being deleted', async () => {
  const webhook = { ...aWebhook(), makers: [newId('apiKey')] } as Webhook;
  const { workspaceId, organizationId } = webhook;
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  await record(webhook);
  await appendUpdates(redis, workspaceId, [{ accountId: newId('messengerAccount') }]);
  const tenants = { find: async () => ({ organizationId, workspaceId, weight: 1 }) };
  const runner = new DeliveryRunner({ redis, queue, tenants } as unknown as DeliveryRunnerOptions);
  const feed: WebhookJob = { what: 'feed', workspaceId };
  expect(await runner.next(feed)).toBe(0);
  for (const owner of [webhook.makers?.[0], workspaceId, organizationId] as string[]) {
    await redis.hset(DELETIONS, owner, '{}');
    await runner.run(feed);
    expect(await redis.zcard(lineKey(webhook, 'log:queued'))).toBe(0);
    expect(await runner.next(feed)).toBeNull();
    await redis.hdel(DELETIONS, owner);
  }
});
