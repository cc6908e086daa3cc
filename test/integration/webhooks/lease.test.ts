import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { workspaceLeasesKey } from '../../../src/redis/keys.ts';
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
  return (await takeLease(redis, owner, 'more', LONG_MS)) !== null;
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
  expect(waiters).toEqual([{ webhookId: owner.id, name: 'more' }]);
  expect(await takeLease(redis, owner, 'more', LONG_MS)).not.toBeNull();
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
  expect(waiters).toEqual([{ webhookId: owner.id, name: 'more' }]);
  expect(await takeLease(redis, owner, 'more', LONG_MS)).not.toBeNull();
});

describe('where a workspace has as many leases as it may', () => {
  type Owner = ReturnType<typeof aWebhook>;
  const workspaceId = newId('workspace');
  const places = workspaceLeasesKey(workspaceId, 'places');
  const [one, other, third, fourth] = ['one', 'other', 'third', 'fourth'].map((id) => ({
    id,
    workspaceId,
  })) as [Owner, Owner, Owner, Owner];

  beforeEach(() => redis.flushall());

  const isTaken = async (owner: Owner, name: string) =>
    (await takeLease(redis, owner, name, LONG_MS)) !== null;
  /** Takes so many leases of a webhook, and gives the first. */
  async function takeMany(owner: Owner, count: number): Promise<Lease> {
    const leases: Lease[] = [];
    for (let at = 0; at < count; at += 1) leases.push(await taken(owner, `busy-${at}`, LONG_MS));
    return leases[0] as Lease;
  }
  const offeredBy = async (lease: Lease) =>
    (await releaseLease(redis, lease)).waiters.map(({ webhookId, name }) => `${webhookId} ${name}`);

  it('a freed one is offered to one only, and kept for it', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 8);
    expect(await isTaken(one, 'waits')).toBe(false);
    expect(await isTaken(third, 'waits')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['third waits']);
    expect(await isTaken(one, 'waits')).toBe(false);
    expect(await isTaken(fourth, 'comes')).toBe(false);
    const taker = await taken(third, 'waits', LONG_MS);
    // They are offered to the others in turn, whosever they were.
    expect(await offeredBy(taker)).toEqual(['fourth comes']);
    expect(await offeredBy(await taken(fourth, 'comes', LONG_MS))).toEqual(['one waits']);
    expect(await offeredBy(await taken(one, 'waits', LONG_MS))).toEqual([]);
  });

  it('that of a webhook with more that waits is offered to the others first, and to it once they have had theirs', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 8);
    expect(await lineUp(redis, one, ['waits'])).toEqual([]);
    expect(await isTaken(third, 'waits')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['third waits']);
    expect(await offeredBy(await taken(third, 'waits', LONG_MS))).toEqual(['one waits']);
  });

  it('it is offered to the webhook with the fewest, whoever waits longest', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 6);
    await takeMany(third, 2);
    for (const name of ['first', 'second']) expect(await isTaken(other, name)).toBe(false);
    expect(await isTaken(third, 'first')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['third first']);
    expect(await offeredBy(await taken(third, 'first', LONG_MS))).toEqual(['other first']);
  });

  it('it is offered to a webhook of which little waits, however much waits of others that have fewer than they may', async () => {
    const lease = await takeMany(one, 6);
    await takeMany(other, 5);
    await takeMany(third, 5);
    for (const owner of [one, other, third]) {
      const lines = Array.from({ length: 300 }, (_, at) => `waits-${at}`);
      for (const line of lines.slice(0, 20)) expect(await isTaken(owner, line)).toBe(false);
      expect(await lineUp(redis, owner, lines)).toEqual([]);
    }
    expect(await isTaken(fourth, 'comes')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['fourth comes']);
  });

  it('it is offered to webhooks with as few in turn', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(fourth, 6);
    for (const owner of [other, third]) await takeMany(owner, 1);
    for (const owner of [other, third])
      for (const name of ['first', 'second']) expect(await isTaken(owner, name)).toBe(false);
    // All of this may happen in one millisecond.
    await redis.zadd(workspaceLeasesKey(workspaceId, 'webhooks'), 'XX', 1, other.id, 2, third.id);
    expect(await offeredBy(lease)).toEqual(['other first']);
    expect(await offeredBy(await taken(other, 'first', LONG_MS))).toEqual(['third first']);
    expect(await offeredBy(await taken(third, 'first', LONG_MS))).toEqual(['other second']);
  });

  it('it is offered to a line that has found none free and has no job', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 8);
    expect(await lineUp(redis, third, ['waits'])).toEqual([]);
    expect(await offeredBy(lease)).toEqual(['third waits']);
    expect(await redis.pttl(places)).toBeGreaterThan(0);
    expect(await isTaken(third, 'waits')).toBe(true);
  });

  it('the only one in use leaves nothing for ever, though it is offered in vain', async () => {
    const lease = await taken(one, 'line', LONG_MS);
    await redis.zadd(lineKey(one, 'crowd'), 1, 'waits');
    expect(await offeredBy(lease)).toEqual(['one waits']);
    expect(await redis.pttl(places)).toBeGreaterThan(0);
  });

  it('it does not lie idle while who waits longest may have no more', async () => {
    const lease = await takeMany(one, 8);
    const last = await takeMany(third, 1);
    const its = await takeMany(other, 7);
    for (const name of ['first', 'second']) expect(await isTaken(other, name)).toBe(false);
    expect(await offeredBy(last)).toEqual(['other first']);
    expect(await isTaken(other, 'first')).toBe(true);
    expect(await isTaken(one, 'waits')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['one waits']);
    expect(await offeredBy(its)).toEqual(['other second']);
  });

  it('those of a killed worker are offered with the next that is freed', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 8);
    for (const name of ['first', 'second', 'third']) expect(await isTaken(third, name)).toBe(false);
    await redis.zadd(places, 'XX', 1, 'other busy-0');
    expect(await offeredBy(lease)).toEqual(['third first', 'third second']);
  });

  it('one that is offered in vain is free again after a while', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 8);
    expect(await isTaken(third, 'waits')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['third waits']);
    const until = Number(await redis.zscore(places, 'third waits'));
    expect(until).toBeLessThanOrEqual(Date.now() + 2_000);
    expect(await isTaken(fourth, 'comes')).toBe(false);
    await redis.zadd(places, 'XX', 1, 'third waits');
    expect(await isTaken(fourth, 'comes')).toBe(true);
  });

  it('who is offered one too many by then waits at its webhook, and leaves it to others', async () => {
    const lease = await takeMany(one, 8);
    await takeMany(other, 1);
    await takeMany(third, 7);
    expect(await isTaken(third, 'waits')).toBe(false);
    expect(await offeredBy(lease)).toEqual(['third waits']);
    // Another one has ended meanwhile, and it has had that.
    await redis.zrem(places, 'other busy-0');
    expect(await isTaken(third, 'comes')).toBe(true);
    expect(await isTaken(third, 'waits')).toBe(false);
    expect(await isTaken(one, 'comes')).toBe(true);
    expect(await isTaken(fourth, 'comes')).toBe(false);
  });
});

it('a line may take a lease whose holder was killed, though nobody else has asked for one since', async () => {
  const owner = aWebhook();
  expect(await hasRoom(owner)).toBe(true);
  expect(await lineUp(redis, owner, ['waits'])).toEqual([]);
  // It has ended by then.
  await redis.zadd(lineKey(owner, 'places'), 'XX', 1, 'other-1');
  expect(await lineUp(redis, owner, [])).toEqual(['waits']);
});
