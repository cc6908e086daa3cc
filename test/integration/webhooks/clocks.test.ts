import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Webhook } from '../../../src/directory/collections.ts';
import { recordsKey, viewKey } from '../../../src/directory/records.ts';
import { idsSince, newId } from '../../../src/ids.ts';
import { directoryKey, headsKey, queuePrefix } from '../../../src/redis/keys.ts';
import { addPing } from '../../../src/webhooks/add-ping.ts';
import { type Delivery, newDelivery, PING } from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { makeDueNow, requeueDelivery } from '../../../src/webhooks/requeue-deliveries.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { settleDelivery } from '../../../workers/delivery/settle-delivery.ts';
import { surveyLines } from '../../../workers/delivery/survey-lines.ts';
import { sweepWebhooks } from '../../../workers/delivery/sweep-webhooks.ts';
import { queue, redis, useWebhookQueue } from '../../support/redis/use-webhook-queue.ts';

const AN_HOUR = 3_600_000;

let webhook: Webhook;

useWebhookQueue();

beforeEach(async () => {
  await redis.flushall();
  webhook = {
    ...{ id: newId('webhook'), workspaceId: newId('workspace'), organizationId: newId('organization') },
    ...{ kinds: null, messengerAccountIds: null, status: 'enabled' },
  } as Webhook;
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await redis.zadd(viewKey('webhooks', 'all'), 0, webhook.id);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Does what an API process does whose clock is an hour ahead of that of the workers. */
async function ahead<T>(act: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AN_HOUR });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}

/** What workers may send now. */
async function due(): Promise<string[]> {
  await redis.del(lineKey(webhook, 'places'), lineKey(webhook, 'crowd'));
  return (await surveyLines(redis, webhook, { listsDue: true })).toStart;
}

function aPing(): Delivery {
  return newDelivery({ kind: PING, offset: '1', messengerAccountId: null, data: {} });
}

it('a ping is due at once where the clock of the API is ahead of that of the workers', async () => {
  // An id made by such a clock would put the ids of all later files ahead too.
  const { id, ...rest } = aPing();
  const createdAt = new Date(Date.now() + AN_HOUR).toISOString();
  const made = {
    id: idsSince('delivery', Date.parse(createdAt)) + id.slice(-16),
    ...{ createdAt, nextAttemptAt: createdAt },
  };
  const ping = await ahead(() => addPing(redis, webhook, { ...rest, ...made }));
  expect(await due()).toEqual([ping.id]);
});

it('so is a ping that is sent again', async () => {
  const ping = await addPing(redis, webhook, aPing());
  await settleDelivery(redis, webhook, ping, { to: 'failed' });
  const failed: Delivery = JSON.parse((await redis.hget(lineKey(webhook, 'deliveries'), ping.id)) as string);
  expect(await due()).toEqual([]);
  await ahead(() => requeueDelivery(redis, webhook, failed));
  expect(await due()).toEqual([ping.id]);
});

it('so is a delivery that is put aside and sent at once', async () => {
  const delivery = newDelivery({ kind: 'updateConfig', offset: '1', messengerAccountId: null });
  await appendDeliveries(redis, webhook, { from: '0', to: '1' }, [delivery]);
  await settleDelivery(redis, webhook, delivery, { to: 'aside', nextAt: Date.now() + AN_HOUR / 2 });
  expect(await due()).toEqual([]);
  await ahead(() => makeDueNow(redis, webhook, delivery));
  expect(await due()).toEqual([delivery.id]);
});

it('the sweep begins at once to feed a workspace whose job was put off by a clock that was ahead', async () => {
  const { workspaceId } = webhook;
  await redis.hset(headsKey(''), workspaceId, '1');
  await ahead(() => queue.add({ what: 'feed', workspaceId }, 1_000));
  expect(await redis.zcard(`${queuePrefix(0)}:webhooks:delayed`)).toBe(1);
  await redis.del(directoryKey('webhook-sweep'));
  await sweepWebhooks(redis, queue, new AbortController().signal, 60_000);
  expect(await redis.lrange(`${queuePrefix(0)}:webhooks:wait`, 0, -1)).toEqual([`feed-${workspaceId}`]);
});
