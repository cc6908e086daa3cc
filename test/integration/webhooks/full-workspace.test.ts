import { beforeEach, expect, it } from 'vitest';
import { readBytesUsed, setByteBudget, setBytesMax } from '../../../src/bytes/byte-budget.ts';
import type { Webhook } from '../../../src/directory/collections.ts';
import { recordsKey, viewKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { byteFields, headsKey, updatesKey } from '../../../src/redis/keys.ts';
import { readUpdates } from '../../../src/updates/read-updates.ts';
import { addPing } from '../../../src/webhooks/add-ping.ts';
import { type Delivery, newDelivery, PING, withAttempt } from '../../../src/webhooks/delivery.ts';
import { eraseLines, lineKey, lineKeys } from '../../../src/webhooks/line-keys.ts';
import { requeueDelivery } from '../../../src/webhooks/requeue-deliveries.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { DeliveryRunner, type DeliveryRunnerOptions } from '../../../workers/delivery/delivery-runner.ts';
import { Feed } from '../../../workers/delivery/feed.ts';
import { gapNotice, reportTrimmed } from '../../../workers/delivery/report-gap.ts';
import { settleDelivery } from '../../../workers/delivery/settle-delivery.ts';
import { surveyLines } from '../../../workers/delivery/survey-lines.ts';
import { LOG_KEPT } from '../../../workers/delivery/trim-log.ts';
import { measureBytes } from '../../../workers/measure-bytes.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { queue, redis, useWebhookQueue } from '../../support/redis/use-webhook-queue.ts';

const KB = 1_024;
// What is added at once goes in whole, as long as there is room for the first byte.
const AT_ONCE = 200 * KB;

let workspaceId: string;

useWebhookQueue();

beforeEach(async () => {
  workspaceId = newId('workspace');
  setBytesMax(redis, 0);
  await appendUpdates(redis, workspaceId, [{ value: 'before' }]);
  await redis.hset(headsKey(''), byteFields(workspaceId).used, 0);
});

const used = async () => (await readBytesUsed(redis, [workspaceId]))[0] as number;

/** A webhook that has got all updates of the workspace. */
async function aWebhook(): Promise<Webhook> {
  const webhook = {
    ...{ id: newId('webhook'), workspaceId, organizationId: newId('organization'), gap: null },
    ...{ kinds: null, messengerAccountIds: null, status: 'enabled' },
  } as Webhook;
  const { next: position } = await readUpdates(redis, workspaceId, 'end');
  await redis.hset(lineKey(webhook, 'state'), { position });
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await redis.zadd(viewKey('webhooks', `workspace:${workspaceId}`), 0, webhook.id);
  return webhook;
}

/** Appends updates of one account to the stream; what they take is not counted. */
async function append(count: number): Promise<void> {
  const accountId = newId('messengerAccount');
  const before = await used();
  for (let left = count; left > 0; left -= 100)
    await appendUpdates(
      redis,
      workspaceId,
      Array.from({ length: Math.min(left, 100) }, () => ({ accountId })),
    );
  await redis.hset(headsKey(''), byteFields(workspaceId).used, before);
}

const fill = (webhook: Webhook) => new Feed(redis, queue, workspaceId, async () => undefined).fill(webhook);

const queuedOf = (webhook: Webhook) => redis.zcard(lineKey(webhook, 'log:queued'));

async function deliveriesOf(webhook: Webhook): Promise<Delivery[]> {
  const texts = await redis.hvals(lineKey(webhook, 'deliveries'));
  return texts.map((text) => JSON.parse(text));
}

/** What webhooks take, as Redis says. */
async function taken(webhooks: Webhook[]): Promise<number> {
  let bytes = 0;
  for (const key of webhooks.flatMap(lineKeys))
    bytes += Number((await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0);
  return bytes;
}

const isBehind = async (webhook: Webhook) =>
  (await surveyLines(redis, webhook, { listsDue: false })).isBehind;

async function expectCounted(webhook: Webhook): Promise<void> {
  const ratio = (await used()) / (await taken([webhook]));
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
}

it('what is queued for webhooks stays within the byte budget, and goes on once there is room', async () => {
  const webhooks = await Promise.all(Array.from({ length: 4 }, aWebhook));
  await append(1_000);
  await setByteBudget(redis, workspaceId, 600 * KB);
  for (const webhook of webhooks) await fill(webhook);
  expect(await used()).toBeGreaterThan(600 * KB);
  expect(await used()).toBeLessThan(600 * KB + AT_ONCE);
  expect(await taken(webhooks)).toBeLessThan((600 * KB + AT_ONCE) * 1.3);
  const counts = await Promise.all(webhooks.map(queuedOf));
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts.at(-1)).toBe(0);
  // Nothing looks again and again.
  for (const webhook of webhooks) expect(await isBehind(webhook)).toBe(false);
  for (const webhook of webhooks) await fill(webhook);
  expect(await Promise.all(webhooks.map(queuedOf))).toEqual(counts);

  await setByteBudget(redis, workspaceId, 0);
  for (const webhook of webhooks.filter((_, at) => (counts[at] as number) < 1_000))
    expect(await isBehind(webhook)).toBe(true);
  for (const webhook of webhooks) {
    await fill(webhook);
    const offsets = (await deliveriesOf(webhook)).map(({ offset }) => offset);
    expect([offsets.length, new Set(offsets).size]).toEqual([1_000, 1_000]);
  }
});

it('while a workspace is full its updates are not read again after each call, but for another filter', async () => {
  const webhooks = [await aWebhook(), await aWebhook()];
  const [webhook] = webhooks as [Webhook, Webhook];
  await append(1_000);
  const tenant = { organizationId: webhook.organizationId, workspaceId, weight: 1 };
  const tenants = { find: async () => tenant };
  const runner = new DeliveryRunner({ redis, queue, tenants } as unknown as DeliveryRunnerOptions);
  /** How often the stream is read for one job. */
  const reads = async () => {
    await redis.config('RESETSTAT');
    await runner.run({ what: 'feed', workspaceId });
    return Number(/cmdstat_xrange:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
  };
  await setByteBudget(redis, workspaceId, 1);
  await redis.hset(headsKey(''), byteFields(workspaceId).used, 10);
  expect(await reads()).toBeGreaterThan(0);
  expect(await reads()).toBe(0);
  // There are more by now.
  await setByteBudget(redis, workspaceId, 0);
  await append(10);
  await setByteBudget(redis, workspaceId, 1);
  expect(await reads()).toBe(0);

  const other = { ...webhook, kinds: ['updateNone'] };
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(other));
  expect(await reads()).toBeGreaterThan(0);
  const { next } = await readUpdates(redis, workspaceId, 'end');
  expect(await redis.hget(lineKey(webhook, 'state'), 'position')).toBe(next);

  await setByteBudget(redis, workspaceId, 0);
  expect(await reads()).toBeGreaterThan(0);
  expect(await Promise.all(webhooks.map(queuedOf))).toEqual([0, 1_010]);
});

it('the setting bounds what is queued, as the budget of a workspace does', async () => {
  const webhook = await aWebhook();
  await append(1_000);
  setBytesMax(redis, 100 * KB);
  await fill(webhook);
  expect(await queuedOf(webhook)).toBe(200);
  setBytesMax(redis, 0);
  await fill(webhook);
  expect(await queuedOf(webhook)).toBe(1_000);
});

it('a webhook that wants nothing of what comes goes on in a full workspace', async () => {
  const webhook = { ...(await aWebhook()), kinds: ['updateNone'] };
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await append(300);
  await setByteBudget(redis, workspaceId, 1);
  await redis.hset(headsKey(''), byteFields(workspaceId).used, 10);
  await fill(webhook);
  const { next } = await readUpdates(redis, workspaceId, 'end');
  expect(await redis.hget(lineKey(webhook, 'state'), 'position')).toBe(next);
});

it('what is added, attempted, settled, queued again and forgotten is counted about as Redis counts it', async () => {
  const webhook = await aWebhook();
  await append(600);
  await fill(webhook);
  await expectCounted(webhook);
  const before = await used();
  const deliveries = await deliveriesOf(webhook);
  const attempted = deliveries.map((delivery) =>
    withAttempt(delivery, { at: new Date().toISOString(), statusCode: 500, durationMs: 1, error: null }),
  );
  for (const delivery of attempted.slice(0, 300))
    await settleDelivery(redis, webhook, delivery, { to: 'aside', nextAt: Date.now() + 60_000 });
  await expectCounted(webhook);
  expect(await used()).toBeGreaterThan(before + 300 * 50);
  for (const delivery of attempted) await settleDelivery(redis, webhook, delivery, { to: 'failed' });
  await expectCounted(webhook);
  // A settled one is not settled again.
  const settled = await used();
  for (const delivery of attempted) await settleDelivery(redis, webhook, delivery, { to: 'failed' });
  expect(await used()).toBe(settled);

  const [first] = (await deliveriesOf(webhook)) as [Delivery];
  const again = await requeueDelivery(redis, webhook, first);
  expect(await used()).toBe(settled + JSON.stringify(again).length - JSON.stringify(first).length);
  await settleDelivery(redis, webhook, first, { to: 'failed' });
  expect(await used()).toBe(settled);

  // Five days later.
  const settledIds = await redis.zrange(lineKey(webhook, 'settled'), '0', '-1');
  const longAgo = String(Date.now() - LOG_KEPT.ms - 60_000);
  await redis.zadd(lineKey(webhook, 'settled'), ...settledIds.flatMap((id) => [longAgo, id]));
  for (let trims = 0; trims < 12; trims += 1) await surveyLines(redis, webhook, { listsDue: false });
  expect(await deliveriesOf(webhook)).toEqual([]);
  expect(await used()).toBe(0);
});

it('a notice that is sent again, as the connection was cut, counts once', async () => {
  const webhook = await aWebhook();
  const position = (await redis.hget(lineKey(webhook, 'state'), 'position')) as string;
  const notice = gapNotice(webhook, { from: '0', to: position });
  const addNotice = () => appendDeliveries(redis, webhook, { from: position, to: position }, [notice]);
  await addNotice();
  const before = await used();
  expect(before).toBeGreaterThan(0);
  await addNotice();
  expect([await used(), await queuedOf(webhook)]).toEqual([before, 1]);
});

it('a measurement counts deliveries once, and a deleted webhook no longer', async () => {
  const [webhook, other] = [await aWebhook(), await aWebhook()];
  await append(400);
  await fill(webhook);
  await fill(other);
  const atAnyTime = { everyMs: 0, soonMs: 0 };
  const rest = Number(await redis.memory('USAGE', updatesKey(workspaceId)));
  for (let measurements = 0; measurements < 2; measurements += 1) {
    await redis.hdel(`sb:{${workspaceId}}:bytes`, 'measuredFor');
    const measured = (await measureBytes(redis, workspaceId, atAnyTime)) as number;
    expect((measured - rest) / (await taken([webhook, other]))).toBeGreaterThan(0.8);
    expect((measured - rest) / (await taken([webhook, other]))).toBeLessThan(1.2);
  }
  await setByteBudget(redis, workspaceId, 1);
  const before = await used();
  const own = await taken([webhook]);
  await eraseLines(redis, webhook);
  expect((before - (await used())) / own).toBeGreaterThan(0.8);
  expect((before - (await used())) / own).toBeLessThan(1.2);
  const after = await used();
  await eraseLines(redis, webhook);
  expect(await used()).toBe(after);
});

it('of an erased workspace nothing is counted', async () => {
  const webhook = await aWebhook();
  await append(10);
  await fill(webhook);
  const { used: field } = byteFields(workspaceId);
  await redis.hdel(headsKey(''), field);
  await eraseLines(redis, webhook);
  expect(await redis.hget(headsKey(''), field)).toBeNull();
});

it('in a full workspace deliveries are settled, and gaps told once; a ping is refused', async () => {
  const webhook = await aWebhook();
  await append(10);
  await fill(webhook);
  await setByteBudget(redis, workspaceId, 1);
  const [first, second] = (await deliveriesOf(webhook)) as [Delivery, Delivery];
  expect(await settleDelivery(redis, webhook, first, { to: 'succeeded' })).not.toBeNull();
  await reportTrimmed(redis, queue, webhook, second);
  expect((await deliveriesOf(webhook)).filter(({ kind }) => kind === 'webhook.gap')).toHaveLength(1);
  const ping = newDelivery({ kind: PING, offset: '1', messengerAccountId: null, data: {} });
  const before = await used();
  await expect(addPing(redis, webhook, ping)).rejects.toMatchObject({ code: 'workspace_full' });
  await setByteBudget(redis, workspaceId, 0);
  await addPing(redis, webhook, ping);
  expect(await used()).toBeGreaterThan(before + JSON.stringify(ping).length);
});

it('what was trimmed while the workspace was full is told once there is room', async () => {
  const webhook = await aWebhook();
  await append(300);
  await setByteBudget(redis, workspaceId, 1);
  await redis.hset(headsKey(''), byteFields(workspaceId).used, 10);
  await fill(webhook);
  const { entries } = await readUpdates(redis, workspaceId, {
    offset: (await redis.hget(lineKey(webhook, 'state'), 'position')) as string,
  });
  const floor = entries[49]?.offset as string;
  await redis.set(`sb:{${workspaceId}}:floor`, floor);
  await fill(webhook);
  await fill(webhook);
  expect(await deliveriesOf(webhook)).toEqual([]);
  expect(JSON.parse((await redis.hget(recordsKey('webhooks'), webhook.id)) as string).gap).toBeNull();
  await setByteBudget(redis, workspaceId, 0);
  await fill(webhook);
  const gaps = (await deliveriesOf(webhook)).filter(({ kind }) => kind === 'webhook.gap');
  expect(gaps).toMatchObject([{ data: { to: floor } }]);
  expect(await queuedOf(webhook)).toBe(1 + 250);
});
