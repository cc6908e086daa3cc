import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { removeUnconnected } from '../../../src/api/records/connect-account.ts';
import { bulkFieldOf, bulkKeysOf } from '../../../src/directory/bulk/accounts.ts';
import type { MessengerAccount } from '../../../src/directory/collections.ts';
import { DELETIONS } from '../../../src/directory/deletions.ts';
import { createRecord, getRecord, patchRecord } from '../../../src/directory/records.ts';
import { idsSince } from '../../../src/ids.ts';
import { Problem } from '../../../src/problem.ts';
import { TestApi } from '../../support/api/api.ts';
import { eraseDeleted } from '../../support/redis/erase-deleted.ts';

const BULK = '/v1/messenger-accounts/bulk';
const BULK_DELETE = '/v1/messenger-accounts/bulk-delete';
const MOST = 30;

let api: TestApi;
let organizationId: string;

beforeAll(async () => {
  api = await TestApi.start({ ACCOUNTS_PER_WORKSPACE: String(MOST) });
  organizationId = (await api.ok('POST', '/v1/organizations', { name: 'Organization' })).id;
});
afterAll(() => api.stop());

async function aWorkspace(of = organizationId): Promise<string> {
  return (await api.ok('POST', '/v1/workspaces', { name: 'Workspace', organizationId: of })).id;
}

type Connect = TestApi['deps']['accountControl']['connectAccount'];

/** Makes a request while accounts are connected by `connectBy`, which is given what connects them otherwise. */
async function whileConnecting<T>(
  connectBy: (account: Parameters<Connect>[0], connect: () => ReturnType<Connect>) => ReturnType<Connect>,
  request: () => Promise<T>,
): Promise<T> {
  const { accountControl } = api.deps;
  const connect = accountControl.connectAccount;
  accountControl.connectAccount = (account, signal) => connectBy(account, () => connect(account, signal));
  try {
    return await request();
  } finally {
    accountControl.connectAccount = connect;
  }
}

async function whileMemoryFillsUp<T>(request: () => Promise<T>): Promise<T> {
  const fill = () => api.redis.config('SET', 'maxmemory', '1');
  try {
    return await whileConnecting((_, connect) => fill().then(connect), request);
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
}

async function deletionIn(workspaceId: string) {
  const deletions = (await api.redis.hvals(DELETIONS)).map((text) => JSON.parse(text));
  return deletions.find(({ record }) => record.workspaceId === workspaceId);
}

function named(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, number) => ({ name: `Account ${number}` }));
}

async function accountsOf(workspaceId: string): Promise<{ id: string; name: string; status: string }[]> {
  return (await api.ok('GET', `/v1/messenger-accounts?workspaceId=${workspaceId}&limit=100`)).data;
}

function statuses({ results }: { results: { status: number }[] }): number[] {
  return results.map(({ status }) => status);
}

it('connects many accounts, each as if it had been created by itself, in their order', async () => {
  const workspaceId = await aWorkspace();
  const accounts = [{ name: 'Ada', strictPeers: true }, { name: 'Helper', bot: true }, ...named(18)];
  const before = api.book.orders.length;
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts });
  expect(statuses({ results })).toEqual(accounts.map(() => 201));
  const alone = await api.ok('POST', '/v1/messenger-accounts', { name: 'Alone', workspaceId });
  expect(Object.keys(results[0].body).sort()).toEqual(Object.keys(alone).sort());
  expect(results[0].body).toMatchObject({ name: 'Ada', strictPeers: true, bot: false, status: 'active' });
  expect(results[1].body).toMatchObject({ name: 'Helper', bot: true });
  expect((await accountsOf(workspaceId)).map(({ name }) => name)).toEqual(
    [...accounts, alone].map(({ name }) => name),
  );
  expect(api.book.orders.slice(before)).toHaveLength(accounts.length + 1);
  for (const { body } of results)
    expect(await api.ok('GET', `/v1/messenger-accounts/${body.id}`)).toEqual(body);
});

it('makes an account once for each Idempotency-Key, and says so where it is deleted', async () => {
  const [workspaceId, another] = [await aWorkspace(), await aWorkspace()];
  const accounts = [
    { name: 'Ada', idempotencyKey: 'a' },
    { name: 'Grace', idempotencyKey: 'b' },
    { name: 'Free' },
  ];
  const first = await api.ok('POST', BULK, { workspaceId, accounts });
  const second = await api.ok('POST', BULK, { workspaceId, accounts });
  expect(statuses(second)).toEqual([200, 200, 201]);
  expect(second.results.slice(0, 2).map(({ body }: { body: object }) => body)).toEqual(
    first.results.slice(0, 2).map(({ body }: { body: object }) => body),
  );
  expect(await accountsOf(workspaceId)).toHaveLength(4);
  expect(statuses(await api.ok('POST', BULK, { workspaceId: another, accounts }))).toEqual([201, 201, 201]);
  await api.ok('DELETE', `/v1/messenger-accounts/${first.results[0].body.id}`);
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts: accounts.slice(0, 2) });
  expect([results[0].status, results[0].body.code]).toEqual([409, 'conflict']);
  expect(results[1].status).toBe(200);
});

it('keeps as many Idempotency-Keys as a workspace may have accounts, for a day, and none of a deleted workspace', async () => {
  const workspaceId = await aWorkspace();
  const [made, ages] = bulkKeysOf(workspaceId);
  const count = async () => [await api.redis.hlen(made), await api.redis.zcard(ages)];
  const connect = async (prefix: string, many: number) => {
    const accounts = named(many).map(({ name }) => ({ name, idempotencyKey: `${prefix} ${name}` }));
    return (await api.ok('POST', BULK, { workspaceId, accounts })).results;
  };
  const ids = (await connect('first', MOST)).map(({ body }: { body: { id: string } }) => body.id);
  await api.ok('POST', BULK_DELETE, { ids });
  expect(statuses({ results: await connect('second', 10) })).toEqual(Array(10).fill(201));
  expect(await count()).toEqual([MOST, MOST]);
  expect(statuses({ results: await connect('second', 10) })).toEqual(Array(10).fill(200));
  const old = (await api.redis.zrange(ages, '0', '-1')).flatMap((key) => [Date.now() - 25 * 3_600_000, key]);
  await api.redis.zadd(ages, ...old);
  expect(statuses({ results: await connect('second', 2) })).toEqual([201, 201]);
  expect(await count()).toEqual([2, 2]);
  await api.ok('DELETE', `/v1/workspaces/${workspaceId}?cascade=true`);
  await eraseDeleted(api.redis);
  expect(await count()).toEqual([0, 0]);
});

it('forgets an Idempotency-Key after a day also behind more old ones than are removed at once', async () => {
  const workspaceId = await aWorkspace();
  const [made, ages] = bulkKeysOf(workspaceId);
  const accounts = [{ name: 'Ada', idempotencyKey: 'old' }];
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts });
  await api.redis.zadd(ages, Date.now() - 25 * 3_600_000, bulkFieldOf('old'));
  for (let older = 0; older < 300; older += 1) {
    await api.redis.hset(made, `older ${older}`, 'acc_1');
    await api.redis.zadd(ages, Date.now() - 26 * 3_600_000, `older ${older}`);
  }
  const again = await api.ok('POST', BULK, { workspaceId, accounts });
  expect(statuses(again)).toEqual([201]);
  expect(again.results[0].body.id).not.toBe(results[0].body.id);
  expect((await api.ok('POST', BULK, { workspaceId, accounts })).results).toMatchObject([
    { status: 200, body: { id: again.results[0].body.id } },
  ]);
});

/** An account as a request that never ended has left it. */
async function aLeftAccount(workspaceId: string, idempotencyKey: string): Promise<MessengerAccount> {
  const accounts = [{ name: 'Ada', idempotencyKey }];
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts });
  const account = await getRecord(api.redis, 'messenger-accounts', results[0].body.id);
  const left = { status: 'connecting', userId: null, username: null, phone: null } as const;
  return patchRecord(api.redis, 'messenger-accounts', account.id, left);
}

it('goes on with what a request that never ended has left', async () => {
  const workspaceId = await aWorkspace();
  const { id } = await aLeftAccount(workspaceId, 'left');
  const accounts = [{ name: 'Ada', idempotencyKey: 'left' }];
  const again = await api.ok('POST', BULK, { workspaceId, accounts });
  expect(again.results).toMatchObject([{ status: 200, body: { id, status: 'active' } }]);
  expect(await accountsOf(workspaceId)).toMatchObject([{ id, status: 'active' }]);
});

it('says of an account that was never connected to delete it', async () => {
  const workspaceId = await aWorkspace();
  const left = await aLeftAccount(workspaceId, 'left');
  const old = `${idsSince('messengerAccount', Date.now() - 600_000)}${left.id.slice(-16)}`;
  await createRecord(api.redis, 'messenger-accounts', { ...left, id: old });
  const call = (id: string) =>
    api.request('POST', `/workspaces/${workspaceId}/messenger-accounts/${id}/call/help.getSupport`, {
      params: {},
    });
  expect(await call(left.id)).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } });
  expect(await call(old)).toMatchObject({ status: 409, body: { code: 'conflict', retryable: false } });
  expect((await api.request('DELETE', `/v1/messenger-accounts/${old}`)).status).toBe(204);
  expect(await accountsOf(workspaceId)).toMatchObject([{ id: left.id }]);
});

it('frees the key of an account that cannot be connected, also if the process is killed that removes it', async () => {
  const workspaceId = await aWorkspace();
  // The last that the process does.
  expect(await removeUnconnected(api.deps, await aLeftAccount(workspaceId, 'left'), 'left')).toBe(true);
  const accounts = [{ name: 'Ada', idempotencyKey: 'left' }];
  expect(statuses(await api.ok('POST', BULK, { workspaceId, accounts }))).toEqual([201]);
});

it('has a worker disconnect an account that was deleted while it was connected', async () => {
  const workspaceId = await aWorkspace();
  const { results } = await whileConnecting(
    async ({ id }, connect) => {
      await api.ok('DELETE', `/v1/messenger-accounts/${id}`);
      return connect();
    },
    () => api.ok('POST', BULK, { workspaceId, accounts: named(1) }),
  );
  expect(statuses({ results })).toEqual([404]);
  const deletion = await deletionIn(workspaceId);
  expect(deletion).toMatchObject({ collection: 'messenger-accounts' });
  expect(deletion.overAt).toBeGreaterThan(Date.now());
  await eraseDeleted(api.redis);
});

it('connects no account that was deleted while it waited for its turn, and leaves nothing of it', async () => {
  const { orders } = api.deps;
  const run = orders.run.bind(orders) as (...args: unknown[]) => Promise<unknown>;
  const gone = [
    (id: string) => `/v1/messenger-accounts/${id}`,
    (_: string, workspaceId: string) => `/v1/workspaces/${workspaceId}?cascade=true`,
  ];
  for (const pathOf of gone) {
    const workspaceId = await aWorkspace();
    // All may be over once its turn comes: the deletion as well.
    const deleteAll = async () => {
      const [account] = await accountsOf(workspaceId);
      await api.ok('DELETE', pathOf(String(account?.id), workspaceId));
      await eraseDeleted(api.redis);
    };
    const spy = vi.spyOn(orders, 'run').mockImplementation((async (...args: unknown[]) => {
      const options = args[3] as { isNextPart?: boolean } | undefined;
      if (options?.isNextPart) await deleteAll();
      return run(...args);
    }) as typeof orders.run);
    const before = api.book.orders.length;
    const { results } = await api.ok('POST', BULK, { workspaceId, accounts: named(1) });
    spy.mockRestore();
    expect(results).toMatchObject([{ status: 404, body: { code: 'not_found' } }]);
    expect(api.book.orders.slice(before)).toEqual([]);
  }
});

it('has a worker disconnect an account that is connected but cannot be recorded', async () => {
  const workspaceId = await aWorkspace();
  const account = { workspaceId, name: 'Ada' };
  const refused = await whileMemoryFillsUp(() => api.request('POST', '/v1/messenger-accounts', account));
  expect(refused.status).toBe(503);
  expect(await accountsOf(workspaceId)).toEqual([]);
  expect(await deletionIn(workspaceId)).toMatchObject({ collection: 'messenger-accounts' });
  await eraseDeleted(api.redis);
});

it('leaves nothing of an account that cannot be connected, and lets its key make it later', async () => {
  const workspaceId = await aWorkspace();
  const accounts = [{ name: 'Ada' }, { name: 'Grace', idempotencyKey: 'grace' }, { name: 'Linus' }];
  const { results } = await whileConnecting(
    async ({ name }, connect) => {
      if (name === 'Grace') throw new Problem('unavailable');
      return connect();
    },
    () => api.ok('POST', BULK, { workspaceId, accounts }),
  );
  expect(statuses({ results })).toEqual([201, 503, 201]);
  expect(results[1].body).toMatchObject({ code: 'unavailable', status: 503, retryable: true });
  expect((await accountsOf(workspaceId)).map(({ name }) => name)).toEqual(['Ada', 'Linus']);
  const again = await api.ok('POST', BULK, { workspaceId, accounts: [accounts[1]] });
  expect(statuses(again)).toEqual([201]);
});

it('makes an account although another request with its key, whose caller is gone, removes its own meanwhile', async () => {
  const workspaceId = await aWorkspace();
  const body = { workspaceId, accounts: [{ name: 'Ada', idempotencyKey: 'left' }] };
  const found = await aLeftAccount(workspaceId, 'left');
  const { orders } = api.deps;
  const run = orders.run.bind(orders) as (...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(orders, 'run').mockImplementationOnce((async (...args: unknown[]) => {
    const ids = await run(...args);
    await removeUnconnected(api.deps, found, 'left');
    return ids;
  }) as typeof orders.run);
  expect(statuses(await api.ok('POST', BULK, body))).toEqual([201]);
  spy.mockRestore();
  expect(await accountsOf(workspaceId)).toMatchObject([{ status: 'active' }]);

  const seeded = await aLeftAccount(workspaceId, 'seeded');
  const again = { workspaceId, accounts: [{ name: 'Ada', idempotencyKey: 'seeded' }] };
  const late = await whileConnecting(
    async (_, connect) => {
      await removeUnconnected(api.deps, seeded, 'seeded');
      return connect();
    },
    () => api.ok('POST', BULK, again),
  );
  expect(late.results).toMatchObject([{ status: 503, body: { code: 'unavailable', retryable: true } }]);
  expect(statuses(await api.ok('POST', BULK, again))).toEqual([201]);
});

it('leaves an account that another request with the same key has connected meanwhile', async () => {
  const workspaceId = await aWorkspace();
  const accounts = [{ name: 'Ada', idempotencyKey: 'slow' }];
  const slow = await whileConnecting(
    async (account, connect) => {
      const connected = { ...account, status: 'active', ...(await connect()) };
      await api.redis.hset('sb:{directory}:messenger-accounts', account.id, JSON.stringify(connected));
      throw new Problem('call_timeout');
    },
    () => api.ok('POST', BULK, { workspaceId, accounts }),
  );
  expect(statuses(slow)).toEqual([504]);
  const again = await api.ok('POST', BULK, { workspaceId, accounts });
  expect(statuses(again)).toEqual([200]);
  expect(await accountsOf(workspaceId)).toMatchObject([{ id: again.results[0].body.id, status: 'active' }]);
});

it('deletes an account once, however often it is named', async () => {
  const workspaceId = await aWorkspace();
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts: named(1) });
  const ids = Array(5).fill(results[0].body.id);
  const deleted = statuses(await api.ok('POST', BULK_DELETE, { ids }));
  expect(deleted.toSorted()).toEqual([204, 404, 404, 404, 404]);
});

it('leaves nothing of accounts that are connected but cannot be recorded, and lets their keys make them later', async () => {
  const workspaceId = await aWorkspace();
  const accounts = [{ name: 'Ada' }, { name: 'Grace', idempotencyKey: 'grace' }];
  const refused = await whileMemoryFillsUp(() => api.request('POST', BULK, { workspaceId, accounts }));
  expect(refused.status).toBe(503);
  expect(await accountsOf(workspaceId)).toEqual([]);
  expect(statuses(await api.ok('POST', BULK, { workspaceId, accounts }))).toEqual([201, 201]);
});

it('keeps what was changed while an account was connected', async () => {
  const workspaceId = await aWorkspace();
  const { results } = await whileConnecting(
    async ({ id }, connect) => {
      await api.ok('PATCH', `/v1/messenger-accounts/${id}`, { name: 'Renamed' });
      return connect();
    },
    () => api.ok('POST', BULK, { workspaceId, accounts: named(2) }),
  );
  for (const { body } of results) expect(body).toMatchObject({ name: 'Renamed', status: 'active' });
});

it('counts against the bound of the workspace, one by one', async () => {
  const workspaceId = await aWorkspace();
  await api.ok('POST', BULK, { workspaceId, accounts: named(MOST - 2) });
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts: named(4) });
  expect(statuses({ results })).toEqual([201, 201, 409, 409]);
  expect(results[3].body.detail).toContain('ACCOUNTS_PER_WORKSPACE');
  expect(await accountsOf(workspaceId)).toHaveLength(MOST);
});

it('deletes many accounts, each for itself', async () => {
  const workspaceId = await aWorkspace();
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts: named(20) });
  const ids = results.map(({ body }: { body: { id: string } }) => body.id);
  const before = api.book.orders.length;
  const gone = await api.ok('POST', BULK_DELETE, { ids: [...ids.slice(0, 19), 'acc_nothing'] });
  expect(gone.results.map(({ id }: { id: string }) => id)).toEqual([...ids.slice(0, 19), 'acc_nothing']);
  expect(statuses(gone)).toEqual([...ids.slice(0, 19).map(() => 204), 404]);
  expect(gone.results[0].body).toBeNull();
  expect((await accountsOf(workspaceId)).map(({ id }) => id)).toEqual(ids.slice(19));
  expect(api.book.orders.slice(before).map(({ order }) => order)).toEqual(
    Array.from({ length: 19 }, () => 'disconnectAccount'),
  );
});

it('tells nobody of the accounts of others, and deletes none of them', async () => {
  const [workspaceId, nextDoor] = [await aWorkspace(), await aWorkspace()];
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts: named(2) });
  const ids = results.map(({ body }: { body: { id: string } }) => body.id);
  const key = await api.aKey({ workspaceId: nextDoor }, ['accounts:write']);
  const foreign = await api.request('POST', BULK_DELETE, { ids }, { key });
  const missing = await api.request('POST', BULK_DELETE, { ids: ids.map(() => 'acc_nothing') }, { key });
  expect(foreign.body.results.map(({ body }: { body: object }) => body)).toEqual(
    missing.body.results.map(({ body }: { body: object }) => body),
  );
  expect(statuses(foreign.body)).toEqual([404, 404]);
  expect(await accountsOf(workspaceId)).toHaveLength(2);
});

it('takes a hundred at most, and what is wrong with one of them before anything is done', async () => {
  const workspaceId = await aWorkspace();
  const refuse = async (path: string, body: object, pointer: string) => {
    const answer = await api.request('POST', path, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_body']);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  };
  await refuse(BULK, { workspaceId, accounts: named(101) }, '/accounts');
  await refuse(BULK, { workspaceId, accounts: [] }, '/accounts');
  await refuse(BULK, { workspaceId, accounts: [...named(3), { name: '' }] }, '/accounts/3/name');
  const long = { name: 'x', idempotencyKey: 'x'.repeat(256) };
  await refuse(BULK, { workspaceId, accounts: [long] }, '/accounts/0/idempotencyKey');
  // In UTF-8 all halves of characters are the same.
  const halves = ['\ud800', '\ud801'].map((idempotencyKey) => ({ name: 'x', idempotencyKey }));
  await refuse(BULK, { workspaceId, accounts: halves }, '/accounts/1/idempotencyKey');
  await refuse(BULK_DELETE, { ids: Array.from({ length: 101 }, () => 'acc_x') }, '/ids');
  expect(await accountsOf(workspaceId)).toEqual([]);
});

it('counts each account against the rate limit of the key', async () => {
  const workspaceId = await aWorkspace();
  const rateLimit = { limit: 10, windowSeconds: 3_600 };
  const { secret: key } = await api.ok('POST', '/v1/api-keys', {
    ...{ name: 'x', scopes: ['accounts:write'], workspaceId, rateLimit },
  });
  const tooMany = await api.request('POST', BULK, { workspaceId, accounts: named(11) }, { key });
  expect([tooMany.status, tooMany.body.errors[0].pointer]).toEqual([400, '/accounts']);
  expect((await api.request('POST', BULK, { workspaceId, accounts: named(6) }, { key })).status).toBe(200);
  expect((await api.request('POST', BULK, { workspaceId, accounts: named(6) }, { key })).status).toBe(429);
  expect(await accountsOf(workspaceId)).toHaveLength(6);
});

it('has few accounts of a workspace under way at once, however many requests bring', async () => {
  const workspaceId = await aWorkspace();
  const { accountControl } = api.deps;
  const connect = accountControl.connectAccount;
  let running = 0;
  let most = 0;
  accountControl.connectAccount = async (account, signal) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return connect(account, signal);
  };
  const bulks = await Promise.all(
    [0, 1].map(() => api.ok('POST', BULK, { workspaceId, accounts: named(15) })),
  );
  accountControl.connectAccount = connect;
  for (const bulk of bulks) expect(statuses(bulk)).toEqual(Array.from({ length: 15 }, () => 201));
  expect(most).toBeLessThanOrEqual(8);
});

it('notes in the audit list what was deleted, and what was made with limits', async () => {
  const workspaceId = await aWorkspace();
  const accounts = [{ name: 'Plain' }, { name: 'Capped', maxConcurrentCalls: 3 }];
  const { results } = await api.ok('POST', BULK, { workspaceId, accounts });
  const [plain, capped] = results.map(({ body }: { body: { id: string } }) => body.id);
  await api.ok('POST', BULK_DELETE, { ids: [plain, capped, 'acc_nothing'] });
  const { data } = await api.ok('GET', '/v1/audit?sort=-createdAt&limit=3');
  const noted = data.map(({ action, target }: { action: string; target: { id: string } }) => [
    action,
    target.id,
  ]);
  expect(noted.sort()).toEqual(
    [
      ['create', capped],
      ['delete', capped],
      ['delete', plain],
    ].sort(),
  );
});
