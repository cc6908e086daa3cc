import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Accounts } from '../../../src/directory/accounts.ts';
import { ApiKeys } from '../../../src/directory/api-keys.ts';
import type { MessengerAccount, Organization, Workspace } from '../../../src/directory/collections.ts';
import { deleteRecord } from '../../../src/directory/delete-record.ts';
import { DELETIONS, deletingKey } from '../../../src/directory/deletions.ts';
import { DIRECTORY_VERSION, DirectoryWatch } from '../../../src/directory/directory-watch.ts';
import { generateApiKey } from '../../../src/directory/key-format.ts';
import { createRecord, findRecord, patchRecord, recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import type { Problem } from '../../../src/problem.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { eraseDeleted } from '../../support/redis/erase-deleted.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const ROOT_KEY = 'root-key-of-the-tests';

let server: TestRedis;
let redis: RedisConnection;
let watch: DirectoryWatch;
beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
  watch = new DirectoryWatch(redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  watch.stop();
  redis.disconnect();
  await server.stop();
});

async function anOrganization(): Promise<Organization> {
  const record = {
    id: newId('organization'),
    name: 'o',
    createdAt: new Date().toISOString(),
  };
  await createRecord(redis, 'organizations', record);
  return record;
}

function aWorkspaceOf({ id }: Organization): Workspace {
  return {
    id: newId('workspace'),
    name: 'w',
    organizationId: id,
    weight: 1,
    maxConcurrentCalls: null,
    bytesMax: null,
    createdAt: new Date().toISOString(),
  };
}

test('a creation that is sent again finds its record, also where it has taken the last place', async () => {
  const record = { id: newId('organization'), name: 'o', createdAt: new Date().toISOString() };
  await createRecord(redis, 'organizations', record, { limits: [1] });
  await createRecord(redis, 'organizations', record, { limits: [1] });
  const other = { ...record, id: newId('organization') };
  await expect(createRecord(redis, 'organizations', other, { limits: [1] })).rejects.toMatchObject({
    code: 'conflict',
  });
});

async function anAccount(): Promise<MessengerAccount> {
  const organization = await anOrganization();
  const workspace = aWorkspaceOf(organization);
  await createRecord(redis, 'workspaces', workspace);
  const account: MessengerAccount = {
    id: newId('messengerAccount'),
    name: 'a',
    workspaceId: workspace.id,
    organizationId: organization.id,
    driver: 'sandbox',
    status: 'active',
    userId: 1,
    username: null,
    phone: null,
    bot: false,
    strictPeers: false,
    maxConcurrentCalls: null,
    createdAt: new Date().toISOString(),
    lane: 'shared',
    faults: false,
  };
  await createRecord(redis, 'messenger-accounts', account);
  return account;
}

/** How many commands Redis has run since the count was set to nothing. */
async function commandsRun(name: string): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

test('a parent that goes while a child comes leaves either both or neither', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const organization = await anOrganization();
    const workspace = aWorkspaceOf(organization);
    const works = [
      () => deleteRecord(redis, 'organizations', organization),
      () => createRecord(redis, 'workspaces', workspace),
    ];
    if (round % 2 === 0) works.reverse();
    const [first, second] = await Promise.allSettled(works.map((work) => work()));
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
    const parent = await findRecord(redis, 'organizations', organization.id);
    const child = await findRecord(redis, 'workspaces', workspace.id);
    expect(parent === null).toBe(child === null);
    outcomes.add(parent === null ? 'neither' : 'both');
  }
  expect([...outcomes].sort()).toEqual(['both', 'neither']);
});

test('what was deleted leaves nothing in any list or index', async () => {
  const account = await anAccount();
  const keys = new ApiKeys(redis, ROOT_KEY, watch);
  const place = {
    organizationId: account.organizationId,
    workspaceId: account.workspaceId,
  };
  await keys.create({
    name: 'k',
    scopes: ['calls:write'],
    expiresAt: null,
    rateLimit: null,
    ...place,
  });
  await keys.create({
    name: 'k',
    scopes: ['calls:write'],
    expiresAt: null,
    rateLimit: null,
    ...place,
    workspaceId: null,
  });
  await deleteRecord(redis, 'messenger-accounts', account);
  await deleteRecord(
    redis,
    'workspaces',
    (await findRecord(redis, 'workspaces', account.workspaceId)) as Workspace,
  );
  const organization = await findRecord(redis, 'organizations', account.organizationId);
  await deleteRecord(redis, 'organizations', organization as Organization);
  await eraseDeleted(redis);
  expect(await redis.keys('*')).toEqual([DIRECTORY_VERSION]);
});

test('patches at the same time are all kept, and none revives what was deleted', async () => {
  const account = await anAccount();
  await Promise.all([
    patchRecord(redis, 'messenger-accounts', account.id, { name: 'b' }),
    patchRecord(redis, 'messenger-accounts', account.id, { faults: true }),
    patchRecord(redis, 'messenger-accounts', account.id, { lane: 'slow' }),
  ]);
  const patched = await findRecord(redis, 'messenger-accounts', account.id);
  expect(patched).toEqual({
    ...account,
    name: 'b',
    faults: true,
    lane: 'slow',
  });
  const racing = Promise.allSettled([
    deleteRecord(redis, 'messenger-accounts', account),
    patchRecord(redis, 'messenger-accounts', account.id, { name: 'c' }),
  ]);
  await racing;
  expect(await findRecord(redis, 'messenger-accounts', account.id)).toBeNull();
});

test.each([
  ['is done if the connection was cut, as its script was sent again', true, 1],
  ['is asked for again if somebody else has made it', false, 2],
])('a change that has taken effect already %s', async (_name, isCut, times) => {
  const { id } = await anOrganization();
  let asked = 0;
  const change = (found: Organization) => {
    asked += 1;
    // Reaches Redis ahead of the change itself.
    void redis.hset(recordsKey('organizations'), id, JSON.stringify({ ...found, name: 'b' }));
    if (isCut) (redis as Redis).stream.destroy();
    return { name: 'b' };
  };
  expect(await patchRecord(redis, 'organizations', id, change)).toMatchObject({ id, name: 'b' });
  expect(asked).toBe(times);
});

test.each([
  '',
  'org_1',
  '__proto__',
  'org_01H455VB4PEX5VSKNK084SN02Q',
  'ws_01h455vb4pex5vsknk084sn02q',
  'x'.repeat(9_999),
])('a text that is no id is not looked up (%#)', async (id) => {
  await redis.config('RESETSTAT');
  expect(await findRecord(redis, 'organizations', id)).toBeNull();
  expect(await commandsRun('hget')).toBe(0);
});

describe('keys', () => {
  test('are known by their secret alone, and what is remembered asks Redis nothing', async () => {
    const { organizationId, workspaceId } = await anAccount();
    const keys = new ApiKeys(redis, ROOT_KEY, watch);
    const { record, secret } = await keys.create({
      name: 'k',
      scopes: ['calls:write'],
      expiresAt: null,
      rateLimit: null,
      organizationId,
      workspaceId,
    });
    // A machine that stands still for half a second has it looked up again: then this is tried once more.
    const found = await eventually(async () => {
      keys.forget(record);
      await redis.config('RESETSTAT');
      const all = await Promise.all(Array.from({ length: 50 }, () => keys.authenticate(`Bearer ${secret}`)));
      return !(keys.authenticate(`Bearer ${secret}`) instanceof Promise) && all;
    });
    for (const principal of found) {
      expect(principal).toEqual({
        kind: 'key',
        keyId: record.id,
        scopes: new Set(['calls:write']),
        organizationId,
        workspaceId,
        lineage: [record.id],
        rates: [{ keyId: record.id, rateLimit: null }],
        expiresAtMs: Number.POSITIVE_INFINITY,
      });
    }
    expect(await commandsRun('evalsha')).toBeLessThanOrEqual(1);
  });

  test('that were never issued are refused without asking, or asked for once', async () => {
    const keys = new ApiKeys(redis, ROOT_KEY, watch);
    expect(keys.authenticate(`Bearer ${ROOT_KEY}`)).toEqual({ kind: 'root' });
    expect(keys.authenticate(`bearer   ${ROOT_KEY} `)).toEqual({ kind: 'root' });
    expect(keys.authenticate(`Bearer ${ROOT_KEY} x`)).toBeNull();
    expect(keys.authenticate(ROOT_KEY)).toBeNull();
    expect(keys.authenticate('Bearer sb_nonsense')).toBeNull();
    await redis.config('RESETSTAT');
    const invented = generateApiKey();
    for (let count = 0; count < 100; count++)
      expect(await keys.authenticate(`Bearer ${invented}`)).toBeNull();
    expect((await commandsRun('evalsha')) + (await commandsRun('eval'))).toBeLessThanOrEqual(2);
  });

  test('are known while Redis cannot be asked as far as they are not too old', async () => {
    const { organizationId, workspaceId } = await anAccount();
    let isKnown = true;
    const keys = new ApiKeys(redis, ROOT_KEY, { isFresh: () => false, wasFresh: () => isKnown });
    const wanted = { name: 'k', scopes: [], rateLimit: null, organizationId, workspaceId };
    const { secret } = await keys.create({ ...wanted, expiresAt: null });
    expect(keys.lastFound(`Bearer ${secret}`)).toBeNull();
    const found = await keys.authenticate(`Bearer ${secret}`);
    expect(keys.lastFound(`Bearer ${secret}`)).toBe(found);
    isKnown = false;
    expect(keys.lastFound(`Bearer ${secret}`)).toBeNull();
    isKnown = true;
    const late = await keys.create({ ...wanted, expiresAt: new Date(Date.now() + 300).toISOString() });
    await keys.authenticate(`Bearer ${late.secret}`);
    await new Promise((resolve) => setTimeout(resolve, 310));
    expect(keys.lastFound(`Bearer ${late.secret}`)).toBeNull();
  });

  test('that another process takes back are refused here half a second later', async () => {
    const { organizationId, workspaceId } = await anAccount();
    const [here, there] = [new ApiKeys(redis, ROOT_KEY, watch), new ApiKeys(redis, ROOT_KEY, watch)];
    const { record, secret } = await here.create({
      name: 'k',
      scopes: ['calls:write'],
      expiresAt: null,
      rateLimit: null,
      organizationId,
      workspaceId,
    });
    expect(await here.authenticate(`Bearer ${secret}`)).not.toBeNull();
    await deleteRecord(redis, 'api-keys', record);
    there.forget(record);
    expect(await there.authenticate(`Bearer ${secret}`)).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 510));
    expect(await here.authenticate(`Bearer ${secret}`)).toBeNull();
  });
});

describe('accounts', () => {
  test('are found in their own workspace only, and at once when remembered', async () => {
    const account = await anAccount();
    const accounts = new Accounts(redis, watch);
    expect(accounts.peek(account.workspaceId, account.id)).toBeUndefined();
    // Not where the machine has just stood still for half a second.
    const remembered = await eventually(async () => {
      expect(await accounts.find(account.workspaceId, account.id)).toEqual({ ...account, caps: null });
      return accounts.peek(account.workspaceId, account.id);
    });
    expect(remembered).toEqual({ ...account, caps: null });
    expect(accounts.peek(newId('workspace'), account.id)).toBeNull();
    expect(accounts.peek(account.workspaceId, 'acc_nonsense')).toBeNull();
  });

  test('come with the caps on their calls', async () => {
    const { id, workspaceId } = await anAccount();
    await patchRecord(redis, 'workspaces', workspaceId, { maxConcurrentCalls: 20 });
    await patchRecord(redis, 'messenger-accounts', id, { maxConcurrentCalls: 30 });
    const capsOf = async () => (await new Accounts(redis, watch).find(workspaceId, id))?.caps;
    expect(await capsOf()).toEqual({ workspace: 20, account: 30 });
    await patchRecord(redis, 'messenger-accounts', id, { lane: 'slow' });
    expect(await capsOf()).toEqual({ workspace: 20, account: 16 });
  });

  test('that change here are seen changed here at once, elsewhere half a second later', async () => {
    const account = await anAccount();
    const [here, there] = [new Accounts(redis, watch), new Accounts(redis, watch)];
    for (const accounts of [here, there]) await accounts.find(account.workspaceId, account.id);
    await patchRecord(redis, 'messenger-accounts', account.id, {
      faults: true,
    });
    here.forget(account.id);
    expect(await here.find(account.workspaceId, account.id)).toMatchObject({
      faults: true,
    });
    await new Promise((resolve) => setTimeout(resolve, 510));
    expect(await there.find(account.workspaceId, account.id)).toMatchObject({
      faults: true,
    });
  });
});

test('too many deletions are retried after as long as they stay open', async () => {
  const organization = await anOrganization();
  const workspace = aWorkspaceOf(organization);
  await createRecord(redis, 'workspaces', workspace);
  await deleteRecord(redis, 'workspaces', workspace, { overAt: Date.now() + 3_600_000 });
  const deletion = (await redis.hget(DELETIONS, workspace.id)) as string;
  const ids = Array.from({ length: 999 }, () => newId('workspace'));
  await redis.hset(DELETIONS, ...ids.flatMap((id) => [id, deletion]));
  await redis.zadd(deletingKey(organization.id), ...ids.flatMap((id) => [0, id]));
  const refused = createRecord(redis, 'workspaces', aWorkspaceOf(organization)).catch((problem) => problem);
  const { code, options } = (await refused) as Problem;
  expect(code).toBe('rate_limited');
  expect(Number(options.headers?.['retry-after'])).toBeGreaterThan(3_500);
  expect(Number(options.headers?.['retry-after'])).toBeLessThanOrEqual(3_600);
});
