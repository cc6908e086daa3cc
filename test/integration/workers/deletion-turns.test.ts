import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { EXPIRING } from '../../../src/async-calls/call-keys.ts';
import { deleteRecord } from '../../../src/directory/delete-record.ts';
import { DELETIONS, DELETIONS_DUE, deletingKey } from '../../../src/directory/deletions.ts';
import { getRecord, viewKey } from '../../../src/directory/records.ts';
import { openLogger } from '../../../src/logger.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { Eraser } from '../../../workers/deletion/eraser.ts';
import { TestApi } from '../../support/api/api.ts';
import { storeCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { addManyKeys } from '../../support/strangers/many-keys.ts';

type Tenant = Awaited<ReturnType<TestApi['aTenant']>>;

let api: TestApi;
let eraser: Eraser | undefined;
beforeAll(async () => {
  api = await TestApi.start();
});
afterEach(() => eraser?.stop());
afterAll(() => api.stop());

/** Erases everything. A deletion is a whole turn, however short it is; `onDisconnect` is given the organization of each account that is disconnected. */
async function eraseInTurns(onDisconnect: (organizationId: string) => Promise<void>): Promise<number> {
  let canceled = 0;
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const disconnect = ({ organizationId }: { organizationId: string }) => onDisconnect(organizationId);
  eraser = new Eraser(api.redis, log, disconnect, () => (canceled += 1));
  eraser.start({ everyMs: 10, turnMs: 1 });
  await eventually(async () => (await api.redis.hlen(DELETIONS)) === 0, { timeoutMs: 60_000 });
  return canceled;
}

async function deleteAccount({ accountId }: Tenant): Promise<void> {
  const account = await getRecord(api.redis, 'messenger-accounts', accountId);
  await deleteRecord(api.redis, 'messenger-accounts', account, { children: 'erase' });
}

async function deleteKey(id: string): Promise<void> {
  const key = await getRecord(api.redis, 'api-keys', id);
  await deleteRecord(api.redis, 'api-keys', key, { children: 'erase' });
}

it.each([
  ['however many deletions of one wait', '0'],
  ['when the memory of Redis is full', '1'],
])('organizations take turns, %s', async (_, maxmemory) => {
  const [busy, other] = [await api.aTenant(), await api.aTenant()];
  await addManyKeys(api.redis, { id: busy.workspaceId, organizationId: busy.organizationId }, 250);
  await deleteAccount(busy);
  const ids = await api.redis.zrange(viewKey('api-keys', `workspace:${busy.workspaceId}`), '0', '-1');
  for (const id of ids) await deleteKey(id);
  await deleteAccount(other);

  const disconnected: [string, number][] = [];
  await api.redis.config('SET', 'maxmemory', maxmemory);
  try {
    await eraseInTurns(async (organizationId) => {
      disconnected.push([organizationId, await api.redis.zcard(deletingKey(busy.organizationId))]);
      // Longer than a turn.
      await sleep(10);
    });
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
  expect(disconnected).toEqual([
    [busy.organizationId, 251],
    [other.organizationId, 250],
  ]);
});

it('a key with very many open calls lets deletions of another organization go between', async () => {
  const [busy, other] = [await api.aTenant(), await api.aTenant()];
  const { organizationId, workspaceId } = busy;
  const { id } = await api.ok('POST', '/v1/api-keys', {
    ...{ name: 'Own', workspaceId, scopes: ['calls:write'] },
  });
  const makers = [id];
  for (let stored = 0; stored < 1_100; stored += 100) {
    await Promise.all(Array.from({ length: 100 }, () => storeCall(api.redis, { ...busy, makers })));
  }
  await deleteKey(id);
  await deleteAccount(other);
  // Both may have been deleted in one millisecond.
  await api.redis.zadd(DELETIONS_DUE, 'XX', 0, id);

  const open = () => api.redis.zcard(stateKey(workspaceId, EXPIRING));
  let left = 0;
  const canceled = await eraseInTurns(async () => {
    left = await open();
  });
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(1_100);
  expect([canceled, await open()]).toEqual([1_100, 0]);
  expect(await api.redis.exists(deletingKey(organizationId))).toBe(0);
});
