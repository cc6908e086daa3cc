import { beforeEach, expect, it } from 'vitest';
import type { Webhook } from '../../../src/directory/collections.ts';
import { recordsKey, viewKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { directoryKey } from '../../../src/redis/keys.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { surveyLines } from '../../../workers/delivery/survey-lines.ts';
import { sweepWebhooks } from '../../../workers/delivery/sweep-webhooks.ts';
import { queue, redis, useWebhookQueue } from '../../support/redis/use-webhook-queue.ts';

const LINES = 1_000;

let webhook: Webhook;
let lines: string[];

useWebhookQueue();

beforeEach(async () => {
  webhook = {
    ...{ id: newId('webhook'), workspaceId: newId('workspace'), organizationId: newId('organization') },
    ...{ kinds: null, messengerAccountIds: null, status: 'enabled' },
  } as Webhook;
  await redis.hset(lineKey(webhook, 'state'), { position: '0' });
  await redis.hset(recordsKey('webhooks'), webhook.id, JSON.stringify(webhook));
  await redis.zadd(viewKey('webhooks', 'all'), 0, webhook.id);
  lines = Array.from({ length: LINES }, () => newId('messengerAccount'));
  const deliveries = lines.map((messengerAccountId) =>
    newDelivery({ kind: 'updateConfig', offset: '1', messengerAccountId }),
  );
  await appendDeliveries(redis, webhook, { from: '0', to: '1' }, deliveries);
  const inAnHour = String(Date.now() + 3_600_000);
  await redis.zadd(lineKey(webhook, 'holds'), ...lines.flatMap((line) => [inAnHour, line]));
});

async function sweep(): Promise<void> {
  await redis.del(directoryKey('webhook-sweep'));
  await sweepWebhooks(redis, queue, new AbortController().signal, 60_000);
}

/** How often Redis has looked for the score of a member since it was asked to count. */
async function lookups(): Promise<number> {
  const found = /cmdstat_zscore:calls=(\d+)/.exec(await redis.info('commandstats'));
  return Number(found?.[1] ?? 0);
}

it('looks at a hundred lines of a webhook at most, however many are held', async () => {
  await sweep();
  await redis.config('RESETSTAT');
  await sweep();
  expect(await lookups()).toBeGreaterThan(90);
  expect(await lookups()).toBeLessThan(LINES / 4);
});

it('finds the one line that is due among them some sweeps later', async () => {
  const [line = ''] = lines.splice(LINES / 2, 1);
  await redis.zrem(lineKey(webhook, 'holds'), line);
  const jobs = () => redis.keys(`*:line-${webhook.id}-*`);
  // Each finds it one time in ten.
  for (let sweeps = 0; sweeps < 400 && (await jobs()).length === 0; sweeps += 1) await sweep();
  expect(await jobs()).toEqual([expect.stringContaining(line)]);
});

it('leaves what is known to be due beyond the lines it looks at', async () => {
  const due = lines.filter((_, at) => at % 2 === 0);
  await redis.zrem(lineKey(webhook, 'holds'), ...due);
  await surveyLines(redis, webhook, { listsDue: true });
  const isMoreDue = async () => (await redis.hget(lineKey(webhook, 'state'), 'unlisted')) === '1';
  expect(await isMoreDue()).toBe(true);
  await sweep();
  expect(await isMoreDue()).toBe(true);
  await redis.zadd(lineKey(webhook, 'holds'), ...due.flatMap((line) => [Date.now() + 3_600_000, line]));
  await surveyLines(redis, webhook, { listsDue: true, scannedMax: 2 * LINES });
  expect(await isMoreDue()).toBe(false);
});
