import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DRIVER_WORK, markDue } from '../../../src/async-calls/due-workspaces.ts';
import { holdCall, releaseCalls } from '../../../src/async-calls/held-calls.ts';
import { placeWaitingCalls } from '../../../src/async-calls/place-calls.ts';
import { auditListOf } from '../../../src/control/audit.ts';
import { PAUSES } from '../../../src/control/change-control.ts';
import { deleteRecord } from '../../../src/directory/delete-record.ts';
import {
  DELETIONS,
  DELETIONS_DUE,
  deletingKey,
  remainsKey,
  renewDeletionLease,
  takeDeletion,
} from '../../../src/directory/deletions.ts';
import { getRecord, recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import { bytesKey, headsKey, keyIndexKey, stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { addPing } from '../../../src/webhooks/add-ping.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { ByteMeasurer } from '../../../workers/byte-measurer.ts';
import { Eraser } from '../../../workers/deletion/eraser.ts';
import { TestApi } from '../../support/api/api.ts';
import { storeCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { endWhatIsUnderWay, eraseDeleted } from '../../support/redis/erase-deleted.ts';
import { addManyKeys } from '../../support/strangers/many-keys.ts';

let api: TestApi;
let erasers: Eraser[];
beforeAll(async () => {
  const env = { CALL_TIMEOUT_MS: '20000', ASYNC_CALL_RUN_MS: '90000', WEBHOOKS_ALLOW_PRIVATE: '1' };
  api = await TestApi.start(env);
});
beforeEach(() => {
  erasers = [];
});
afterEach(() => Promise.all(erasers.map((eraser) => eraser.stop())));
afterAll(() => api.stop());

function startEraser(
  options: Parameters<Eraser['start']>[0] = {},
  disconnect?: ConstructorParameters<typeof Eraser>[2],
): Eraser {
  const eraser = new Eraser(api.redis, openLogger({ LOG_LEVEL: 'silent' }, 'test'), disconnect);
  erasers.push(eraser);
  eraser.start({ everyMs: 10, ...options });
  return eraser;
}

/** What a commit leaves behind, and what is noted of it. */
async function write(workspaceId: string, name = 'users', isNoted = true): Promise<void> {
  await api.redis.hset(headsKey(''), workspaceId, 'tail');
  await api.redis.xadd(updatesKey(workspaceId), '*', 'k', 'v');
  await api.redis.hset(stateKey(workspaceId, name), '1', '{}');
  if (isNoted) await api.redis.zadd(keyIndexKey(workspaceId), 1, name);
}

const remove = (path: string) => api.ok('DELETE', `/v1/${path}?cascade=true`);
const keysOf = (id: string) => api.redis.keys(`*${id}*`);

test('a deleted workspace is erased at once, and once more when no call that was under way can write any more', async () => {
  const [{ workspaceId }, { workspaceId: kept }] = [await api.aTenant(), await api.aTenant()];
  for (const id of [workspaceId, kept]) await write(id);
  for (const id of [workspaceId, kept]) await markDue(api.redis, id, Date.now(), DRIVER_WORK);
  const before = Date.now();
  await remove(`workspaces/${workspaceId}`);
  startEraser();
  await eventually(async () => Number(await api.redis.zscore(DELETIONS_DUE, workspaceId)) > before + 90_000);
  expect(await keysOf(workspaceId)).toEqual([keyIndexKey(workspaceId)]);
  // A worker that has noted the key relies on that.
  await write(workspaceId, 'users', false);
  await endWhatIsUnderWay(api.redis);
  await eventually(async () => (await api.redis.hexists(DELETIONS, workspaceId)) === 0);
  expect(await keysOf(workspaceId)).toEqual([]);
  expect(await api.redis.hexists(headsKey(''), workspaceId)).toBe(0);
  expect(await api.redis.zrange(DRIVER_WORK, '0', '-1')).toEqual([kept]);
  expect(await api.redis.exists(stateKey(kept, 'users'), updatesKey(kept), keyIndexKey(kept))).toBe(3);
});

test('a workspace that is erased before its bytes are measured leaves nothing', async () => {
  const [{ workspaceId }, { workspaceId: kept }] = [await api.aTenant(), await api.aTenant()];
  for (const id of [workspaceId, kept]) await write(id);
  await remove(`workspaces/${workspaceId}`);
  await eraseDeleted(api.redis);
  const measurer = new ByteMeasurer(api.redis, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  for (const id of [workspaceId, kept]) measurer.add(id);
  await eventually(async () => (await api.redis.hexists(bytesKey(kept), 'measuredFor')) === 1);
  expect(await keysOf(workspaceId)).toEqual([]);
  expect(await api.redis.hexists(headsKey(''), `${workspaceId}:used`)).toBe(0);
});

test('a workspace from before keys were noted leaves nothing either', async () => {
  const { workspaceId } = await api.aTenant();
  const { keysNoted: _, ...old } = JSON.parse(
    (await api.redis.hget(recordsKey('workspaces'), workspaceId)) ?? '',
  );
  await api.redis.hset(recordsKey('workspaces'), workspaceId, JSON.stringify(old));
  await write(workspaceId, 'old', false);
  await remove(`workspaces/${workspaceId}`);
  await eraseDeleted(api.redis);
  expect(await keysOf(workspaceId)).toEqual([]);
});

test('a deleted organization leaves no list of what its keys have changed', async () => {
  const { organizationId, workspaceId } = await api.aTenant();
  const key = await api.aKey({ organizationId }, ['workspaces:write']);
  await api.ok('PATCH', `/v1/workspaces/${workspaceId}`, { maxConcurrentCalls: 5 }, { key });
  expect(await api.redis.zcard(auditListOf(organizationId))).toBe(1);
  await remove(`organizations/${organizationId}`);
  await eraseDeleted(api.redis);
  expect(await keysOf(organizationId)).toEqual([]);
});

test('a webhook leaves nothing, also where the process that deleted it was killed', async () => {
  const { workspaceId } = await api.aTenant();
  const url = 'https://203.0.113.9/hook';
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url });
  const ping = newDelivery({ kind: 'webhook.ping', offset: '0', messengerAccountId: null });
  await addPing(api.redis, { id, workspaceId }, ping);
  await deleteRecord(api.redis, 'webhooks', await getRecord(api.redis, 'webhooks', id));
  expect(await keysOf(id)).not.toEqual([]);
  await eraseDeleted(api.redis);
  expect(await keysOf(id)).toEqual([]);
});

test('pauses stay as long as calls may be held, whatever deletion ends meanwhile', async () => {
  const [gone, another] = [await api.aTenant(), await api.aTenant()];
  await api.ok('PUT', `/v1/pauses/workspace/${gone.workspaceId}`, { mode: 'wait' });
  for (const { workspaceId } of [gone, another]) await remove(`workspaces/${workspaceId}`);
  await eraseDeleted(api.redis);
  expect(await api.redis.hkeys(PAUSES)).toEqual([`workspace:${gone.workspaceId}`]);
  const startedAt = performance.now();
  startEraser({ pausesMs: 300 });
  await eventually(async () => (await api.redis.hlen(PAUSES)) === 0);
  expect(performance.now() - startedAt).toBeGreaterThan(290);
});

test('the pause of an account that is deleted alone is forgotten', async () => {
  const { accountId } = await api.aTenant();
  await api.ok('PUT', `/v1/pauses/account/${accountId}`, { mode: 'wait' });
  await api.ok('DELETE', `/v1/messenger-accounts/${accountId}`);
  startEraser({ pausesMs: 30 });
  await eventually(async () => (await api.redis.hlen(PAUSES)) === 0);
});

test('async calls that the pause of a deleted account has held are run once it is forgotten, to end', async () => {
  const { organizationId, workspaceId, accountId } = await api.aTenant();
  const { control } = api.deps;
  await api.ok('PUT', `/v1/pauses/account/${accountId}`, { mode: 'wait' });
  const callId = await storeCall(api.redis, { organizationId, workspaceId, accountId, isDue: true });
  const ref = { workspaceId, callId, accountId };
  await holdCall(api.redis, ref, { round: control.round, now: Date.now() });
  await api.ok('DELETE', `/v1/messenger-accounts/${accountId}`);
  startEraser({ pausesMs: 30 });
  await eventually(async () => {
    await control.refresh();
    await releaseCalls(api.redis, workspaceId, control.round);
    return (await placeWaitingCalls(api.redis, workspaceId)).some((placed) => placed.callId === callId);
  });
});

test('pauses of a deleted workspace, of its accounts and of a deleted account are forgotten, and no others', async () => {
  const [gone, kept] = [await api.aTenant(), await api.aTenant()];
  const another = { name: 'another', workspaceId: kept.workspaceId };
  const { id: account } = await api.ok('POST', '/v1/messenger-accounts', another);
  const paused = [
    `account/${kept.accountId}`,
    'lane/slow',
    `workspace/${kept.workspaceId}`,
    `workspace/${gone.workspaceId}`,
    `account/${gone.accountId}`,
    `account/${account}`,
  ];
  for (const target of paused) await api.ok('PUT', `/v1/pauses/${target}`, { mode: 'wait' });
  await remove(`workspaces/${gone.workspaceId}`);
  await api.ok('DELETE', `/v1/messenger-accounts/${account}`);
  await eraseDeleted(api.redis);
  startEraser({ pausesMs: 30 });
  await eventually(async () => (await api.redis.hlen(PAUSES)) === 3);
  const { data } = await api.ok('GET', '/v1/pauses');
  const left = data.map(
    ({ target }: { target: { kind: string; id: string } }) => `${target.kind}/${target.id}`,
  );
  expect(left.sort()).toEqual(paused.slice(0, 3).sort());
  // Other processes see it too.
  await api.deps.control.refresh();
  expect(api.deps.control.pauses.targets).toHaveLength(3);
});

test('several workers are at one deletion at a time', async () => {
  const { workspaceId, organizationId } = await api.aTenant();
  await addManyKeys(api.redis, { id: workspaceId, organizationId }, 3_000);
  await remove(`workspaces/${workspaceId}`);
  startEraser();
  await eventually(async () => (await api.redis.hlen(recordsKey('api-keys'))) < 2_900);
  expect(await takeDeletion(api.redis, 'another', 1_000)).toBeNull();
  for (let i = 0; i < 3; i += 1) startEraser();
  await eventually(async () => (await api.redis.hlen(recordsKey('api-keys'))) === 0);
});

// A machine that stands still for as long as the lease lasts lets the other worker have it, too.
const STALLED = { retry: { count: 2, condition: /disconnections/ } };

test(
  'an account that takes longer to disconnect than a lease lasts is disconnected by one worker',
  STALLED,
  async () => {
    const { accountId } = await api.aTenant();
    // As where the order to disconnect it has failed.
    const account = await getRecord(api.redis, 'messenger-accounts', accountId);
    await deleteRecord(api.redis, 'messenger-accounts', account, { children: 'erase' });
    let [begun, ended] = [0, 0];
    const disconnect = async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      ended += 1;
    };
    for (let i = 0; i < 2; i += 1) startEraser({ leaseMs: 1_000 }, disconnect);
    await eventually(async () => (await api.redis.hexists(DELETIONS, accountId)) === 0);
    expect([begun, ended], 'disconnections').toEqual([1, 1]);
  },
);

test('a worker whose lease has ended learns that another has it, and leaves it alone', async () => {
  const { workspaceId } = await api.aTenant();
  await remove(`workspaces/${workspaceId}`);
  const { redis } = api;
  expect(await takeDeletion(redis, 'one', 20)).not.toBeNull();
  await eventually(async () => (await takeDeletion(redis, 'other', 60_000)) !== null);
  expect(await renewDeletionLease(redis, 'one', 60_000)).toBe(false);
  expect(await renewDeletionLease(redis, 'one', 0)).toBe(false);
  expect(await takeDeletion(redis, 'one', 20)).toBeNull();
  expect(await renewDeletionLease(redis, 'other', 60_000)).toBe(true);
  expect(await renewDeletionLease(redis, 'other', 0)).toBe(true);
  await eraseDeleted(redis);
});

test('one that cannot be done does not hold up others', async () => {
  const [{ workspaceId: broken }, { workspaceId }] = [await api.aTenant(), await api.aTenant()];
  await api.redis.set(keyIndexKey(broken), 'no sorted set');
  await remove(`workspaces/${broken}`);
  await write(workspaceId);
  await remove(`workspaces/${workspaceId}`);
  startEraser();
  await eventually(async () => (await api.redis.exists(stateKey(workspaceId, 'users'))) === 0);
  expect(await api.redis.hexists(DELETIONS, broken)).toBe(1);
  await api.redis.del(keyIndexKey(broken));
});

test('deletes and erases when the memory of Redis is full', async () => {
  const { workspaceId, organizationId } = await api.aTenant();
  await write(workspaceId);
  await addManyKeys(api.redis, { id: workspaceId, organizationId }, 300);
  await api.redis.config('SET', 'maxmemory', '1');
  try {
    await remove(`organizations/${organizationId}`);
    startEraser();
    await eventually(async () => (await api.redis.exists(stateKey(workspaceId, 'users'))) === 0);
    await eventually(async () => (await api.redis.hlen(recordsKey('api-keys'))) === 0);
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
});

test('who makes and deletes without end has to wait until it is erased, and nobody else has', async () => {
  const [{ organizationId }, other] = [await api.aTenant(), await api.aTenant()];
  const ids = Array.from({ length: 1_000 }, () => newId('workspace'));
  await api.redis.zadd(deletingKey(organizationId), ...ids.flatMap((id) => [0, id]));
  const make = (id: string) => api.request('POST', '/v1/workspaces', { name: 'x', organizationId: id });
  const refused = await make(organizationId);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('60');
  expect((await make(other.organizationId)).status).toBe(201);
  await api.redis.zrem(deletingKey(organizationId), ids[0] as string);
  const { status, body } = await make(organizationId);
  expect(status).toBe(201);
  await remove(`workspaces/${body.id}`);
  expect(await api.redis.zcard(deletingKey(organizationId))).toBe(1_000);
  await eraseDeleted(api.redis);
  expect(await api.redis.zcard(deletingKey(organizationId))).toBe(999);
});

test('what deleted workspaces keep counts as workspaces of their organization until it expires', async () => {
  const env = { WORKSPACES_PER_ORGANIZATION: '3', WORKSPACE_BYTES_MAX: '4000' };
  const small = await TestApi.start(env);
  try {
    const { id: organizationId } = await small.ok('POST', '/v1/organizations', { name: 'Own' });
    const create = () => small.request('POST', '/v1/workspaces', { name: 'Own', organizationId });
    let made = await create();
    let fills = 0;
    for (; made.status === 201 && fills < 20; fills += 1) {
      const workspaceId = made.body.id;
      const { id } = await small.ok('POST', '/v1/messenger-accounts', { name: 'Own', workspaceId });
      const path = `/workspaces/${workspaceId}/messenger-accounts/${id}/call/help.getSupport`;
      for (let at = 0; at < 10; at += 1) {
        const headers = { prefer: 'respond-async', 'idempotency-key': `call-${at}` };
        await small.ok('POST', path, { params: {} }, { headers });
      }
      await small.ok('DELETE', `/v1/workspaces/${workspaceId}?cascade=true`);
      await eraseDeleted(small.redis);
      made = await create();
    }
    expect(fills).toBeGreaterThan(1);
    expect(made).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(made.body.detail).toMatch(/^Deleted workspaces of the organization still keep outcomes/);
    const remains = remainsKey(organizationId);
    expect(await small.redis.pttl(remains)).toBeGreaterThan(23 * 3_600_000);
    const bytes = Object.values(await small.redis.hgetall(remains)).map(Number);
    expect(bytes.reduce((sum, part) => sum + part, 0)).toBeLessThan(4 * 4_000);
    // As if a day had passed.
    await small.redis.unlink(remains);
    await small.redis.hset(remains, String(Date.now() - 1), '1000000');
    expect((await create()).status).toBe(201);
    expect(await small.redis.exists(remains)).toBe(0);
  } finally {
    await small.stop();
  }
});
