import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Accounts } from '../../../src/directory/accounts.ts';
import { deleteRecord } from '../../../src/directory/delete-record.ts';
import { DirectoryWatch, LAST_FRESH_MS } from '../../../src/directory/directory-watch.ts';
import { createRecord, patchRecord } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: Redis;
let watch: DirectoryWatch;

beforeEach(async () => {
  server = await startTestRedis();
  redis = new Redis(server.url);
  watch = new DirectoryWatch(redis);
});

afterEach(async () => {
  watch.stop();
  redis.disconnect();
  await server.stop();
});

async function anAccount() {
  const createdAt = new Date().toISOString();
  const organization = { id: newId('organization'), name: 'o', createdAt };
  const workspace = {
    ...{ id: newId('workspace'), name: 'w', organizationId: organization.id, createdAt },
    ...{ weight: 1, maxConcurrentCalls: null, bytesMax: null },
  };
  const account = {
    ...{ id: newId('messengerAccount'), name: 'a', workspaceId: workspace.id, createdAt },
    ...{ organizationId: organization.id, driver: 'sandbox', status: 'active', userId: 1, username: null },
    ...{ phone: null, bot: false, strictPeers: false, faults: false, lane: 'shared' as const },
    maxConcurrentCalls: null,
  };
  await createRecord(redis, 'organizations', organization);
  await createRecord(redis, 'workspaces', workspace);
  await createRecord(redis, 'messenger-accounts', account as never);
  return account;
}

async function countReads(command = 'hget'): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

/** Waits until the watch has asked and been answered. */
async function untilPolled(): Promise<void> {
  const before = await countReads('get');
  await eventually(async () => (await countReads('get')) >= before + 2);
}

/** An account that the look-ups remember, and have found unchanged for longer than anything is remembered without asking. */
async function aKnownAccount(accounts: Accounts) {
  const account = await anAccount();
  await eventually(async () => {
    await accounts.find(account.workspaceId, account.id);
    await sleep(700);
    return accounts.peek(account.workspaceId, account.id) !== undefined;
  });
  return account;
}

// A machine that stands still for half a second has it read again, too.
const STALLED = { retry: { count: 4, condition: /reads/ } };

it('what has been read is not read again while nothing changes', STALLED, async () => {
  const accounts = new Accounts(redis, watch);
  const { id, workspaceId } = await aKnownAccount(accounts);
  const before = await countReads();
  for (let i = 0; i < 12; i += 1) {
    await sleep(100);
    expect(await accounts.find(workspaceId, id)).toMatchObject({ id });
  }
  expect(await countReads(), 'reads').toBe(before);
});

it('a change elsewhere is seen after half a second, of the workspace too, and so is a deletion', async () => {
  const accounts = new Accounts(redis, watch);
  const account = await aKnownAccount(accounts);
  const { id, workspaceId } = account;
  await patchRecord(redis, 'messenger-accounts', id, { faults: true });
  await sleep(510);
  expect(await accounts.find(workspaceId, id)).toMatchObject({ faults: true, caps: null });
  await patchRecord(redis, 'workspaces', workspaceId, { maxConcurrentCalls: 3 });
  await sleep(510);
  expect(await accounts.find(workspaceId, id)).toMatchObject({ caps: { workspace: 3, account: null } });
  await deleteRecord(redis, 'messenger-accounts', account as never);
  await sleep(510);
  expect(await accounts.find(workspaceId, id)).toBeNull();
});

it('nothing that Redis does not confirm is taken to hold, nor what was there before it lost its data', async () => {
  const accounts = new Accounts(redis, watch);
  const { id, workspaceId } = await aKnownAccount(accounts);
  const other = new Redis(server.url);
  await other.flushall();
  await sleep(510);
  expect(await accounts.find(workspaceId, id)).toBeNull();
  const found = await aKnownAccount(accounts);
  // Until the server is stopped.
  await other.client('PAUSE', 60_000, 'ALL');
  await sleep(600);
  expect(accounts.peek(found.workspaceId, found.id)).toBeUndefined();
  other.disconnect();
});

it('knows while Redis is away what held when it last answered, or was read in the two minutes before', async () => {
  vi.useFakeTimers({ toFake: ['performance'], now: Date.now() });
  try {
    await anAccount();
    await untilPolled();
    vi.advanceTimersByTime(1);
    const askedAt = performance.now();
    vi.advanceTimersByTime(3 * LAST_FRESH_MS);
    await untilPolled();
    expect(watch.wasFresh(askedAt)).toBe(true);
    await anAccount();
    await eventually(() => !watch.wasFresh(askedAt));
    const confirmedAt = performance.now();
    watch.stop();
    vi.advanceTimersByTime(3 * LAST_FRESH_MS);
    expect(watch.wasFresh(confirmedAt - LAST_FRESH_MS + 1)).toBe(true);
    expect(watch.wasFresh(confirmedAt - LAST_FRESH_MS)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
