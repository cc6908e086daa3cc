import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import {
  LEASES_PER_WEBHOOK,
  type Lease,
  lineUp,
  releaseLease,
  renewLease,
  takeLease,
} from '../../../workers/delivery/lease.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const SHORT_MS = 50;
const LONG_MS = 60_000;

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const aWebhook = () => ({ id: newId('webhook'), workspaceId: newId('workspace') });

async function taken(owner: { id: string; workspaceId: string }, name: string, ms: number): Promise<Lease> {
  const lease = await takeLease(redis, owner, name, ms);
  if (lease === null) throw new Error('there is no lease');
  return lease;
}

/** Whether another line gets a lease beside seven more of the webhook, which has eight. */
async function hasRoom(owner: { id: string; workspaceId: string }): Promise<boolean> {
  for (let index = 1; index < LEASES_PER_WEBHOOK; index += 1) await taken(owner, `other-${index}`, LONG_MS);
  return (await takeLease(redis, owner, 'one more', LONG_MS)) !== null;
}

it('a holder whose lease has expired neither gives back nor extends that of the one after it', async () => {
  const owner = aWebhook();
  const late = await taken(owner, 'line', SHORT_MS);
  await sleep(2 * SHORT_MS);
  const present = await taken(owner, 'line', LONG_MS);
  expect(await renewLease(redis, late, LONG_MS)).toBe(false);
  expect(await releaseLease(redis, late)).toEqual({ waiters: [], isMoreDue: false });
  expect(await hasRoom(owner)).toBe(false);
  expect(await renewLease(redis, present, LONG_MS)).toBe(true);
});

it('nor does one from which it was taken before it expired', async () => {
  const owner = aWebhook();
  const late = await taken(owner, 'line', LONG_MS);
  const present = await taken(owner, 'line', LONG_MS);
  expect(present.until).toBeGreaterThan(late.until);
  expect(await renewLease(redis, late, LONG_MS)).toBe(false);
  await releaseLease(redis, late);
  expect(await hasRoom(owner)).toBe(false);
});

it('a holder gives its lease back, also one that it has extended, and names who waits for it', async () => {
  const owner = aWebhook();
  const lease = await taken(owner, 'line', LONG_MS);
  expect(await hasRoom(owner)).toBe(false);
  expect(await renewLease(redis, lease, LONG_MS)).toBe(true);
  const { waiters } = await releaseLease(redis, lease);
  expect(waiters).toEqual([{ webhookId: owner.id, name: 'one more' }]);
  expect(await takeLease(redis, owner, 'one more', LONG_MS)).not.toBeNull();
});

it('a holder whose connection was lost as it extended its lease extends it again, and gives it back', async () => {
  const owner = aWebhook();
  const lease = await taken(owner, 'line', LONG_MS);
  // What was sent before the connection was lost is sent again as it was.
  const sent = { ...lease };
  expect(await renewLease(redis, lease, LONG_MS)).toBe(true);
  await sleep(5);
  expect(await renewLease(redis, sent, LONG_MS)).toBe(true);
  expect(sent.until).toBeGreaterThan(lease.until);
  expect(await hasRoom(owner)).toBe(false);
  const { waiters } = await releaseLease(redis, lease);
  expect(waiters).toEqual([{ webhookId: owner.id, name: 'one more' }]);
  expect(await takeLease(redis, owner, 'one more', LONG_MS)).not.toBeNull();
});

it('a freed lease is offered to who waits longest at the webhook, and at its workspace', async () => {
  const workspaceId = newId('workspace');
  const [one, other, third] = [1, 2, 3].map(() => ({ id: newId('webhook'), workspaceId })) as [
    ReturnType<typeof aWebhook>,
    ReturnType<typeof aWebhook>,
    ReturnType<typeof aWebhook>,
  ];
  // Two webhooks with as many as they may have: as many as their workspace may.
  const lease = await taken(one, 'line', LONG_MS);
  expect(await hasRoom(one)).toBe(false);
  expect(await hasRoom(other)).toBe(true);
  expect(await takeLease(redis, third, 'beyond', LONG_MS)).toBeNull();
  expect((await releaseLease(redis, lease)).waiters).toEqual([
    { webhookId: one.id, name: 'one more' },
    { webhookId: third.id, name: 'beyond' },
  ]);
  expect((await releaseLease(redis, await taken(third, 'beyond', LONG_MS))).waiters).toEqual([]);
});

it('a line may take a lease whose holder was killed, though nobody else has asked for one since', async () => {
  const owner = aWebhook();
  expect(await hasRoom(owner)).toBe(true);
  expect(await lineUp(redis, owner, ['waits'])).toEqual([]);
  // It has ended by then.
  await redis.zadd(lineKey(owner, 'places'), 'XX', 1, 'other-1');
  expect(await lineUp(redis, owner, [])).toEqual(['waits']);
});
