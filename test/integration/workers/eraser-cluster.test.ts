import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteRecord } from '../../../src/directory/delete-record.ts';
import { createRecord, findRecord } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { mastersOf, openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { ledgerKey, updatesKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { encodeJson } from '../../../src/state/placeholder.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { eraseDeleted } from '../../support/redis/erase-deleted.ts';
import { startTestCluster, type TestCluster } from '../../support/redis/redis-cluster.ts';

let cluster: TestCluster;
let redis: RedisConnection;
beforeAll(async () => {
  cluster = await startTestCluster({ replicas: false });
  redis = openRedis(cluster.url, 'state', () => undefined);
  await untilReady(redis);
});
afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});

async function keys(pattern: string): Promise<string[]> {
  return (await Promise.all(mastersOf(redis).map((server) => server.keys(pattern)))).flat();
}

test('an organization whose workspaces lie on every server of a cluster leaves nothing', async () => {
  const createdAt = new Date().toISOString();
  const organization = { id: newId('organization'), name: 'o', createdAt };
  await createRecord(redis, 'organizations', organization);
  const workspaces = Array.from({ length: 12 }, () => newId('workspace'));
  for (const id of workspaces) {
    await createRecord(redis, 'workspaces', {
      id,
      name: 'w',
      organizationId: organization.id,
      weight: 1,
      maxConcurrentCalls: null,
      bytesMax: null,
      keysNoted: true,
      createdAt,
    });
    const tx = new Transaction(redis, id);
    tx.hset('things', 'a', 'b');
    const until = Date.now() + 10_000;
    const entry = { field: 'reply', claim: '', notAfter: until, ledgerExpiresAt: until };
    await commit(
      redis,
      { ...entry, workspaceId: id, ledger: ledgerKey(id, 'batch') },
      tx,
      { result: encodeJson({ _: 'x' }) },
      '',
    );
    await redis.xadd(updatesKey(id), '*', 'k', 'v');
  }
  await deleteRecord(redis, 'organizations', organization, { children: 'erase' });
  expect(await findRecord(redis, 'workspaces', workspaces[0] as string)).toBeNull();
  await eraseDeleted(redis);
  const left = (await keys('*{ws_*')).filter((key) => !key.includes(':ledger:'));
  expect(left).toEqual([]);
  expect((await keys('sb:{directory}*')).filter((key) => !key.endsWith(':version'))).toEqual([]);
});
