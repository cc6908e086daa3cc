import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordsKey, viewKey } from '../../../src/directory/records.ts';
import { type ApiAnswer, TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { storeCall } from '../../support/api/async-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { Crowd, getRequest } from '../../support/strangers/crowd.ts';

const MiB = 1024 * 1024;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ SUBSCRIBERS_PER_KEY: '3' });
});
afterAll(() => api.stop());

/** All items of a list, read forwards and then backwards, and how many each page had. */
async function readAll(path: string): Promise<{ ids: string[]; counts: number[] }> {
  const [ids, back, counts]: [string[], string[], number[]] = [[], [], []];
  let page: ApiAnswer['body'] = await api.ok('GET', path);
  for (;;) {
    ids.push(...page.data.map(({ id }: { id: string }) => id));
    counts.push(page.data.length);
    expect(page.hasMore).toBe(page.cursors.next !== null);
    if (!page.hasMore) break;
    page = await api.ok('GET', `${path}&startingAfter=${page.cursors.next}`);
  }
  back.push(...page.data.map(({ id }: { id: string }) => id));
  while (page.cursors.previous !== null) {
    page = await api.ok('GET', `${path}&endingBefore=${page.cursors.previous}`);
    back.unshift(...page.data.map(({ id }: { id: string }) => id));
    expect(page.hasMore).toBe(true);
  }
  expect(back).toEqual(ids);
  return { ids, counts };
}

test('a page of calls holds a MiB of results and params, or one call', async () => {
  const tenant = await api.aTenant();
  const kept: string[] = [];
  for (const size of [10, 400_000, 400_000, 400_000, 990_000, 990_000, 10, 10]) {
    const result = { _: 'upload.file', bytes: 'x'.repeat(size) };
    kept.push(await storeCall(api.redis, { ...tenant, result }));
  }
  kept.push(await storeCall(api.redis, { ...tenant, params: { text: 'x'.repeat(900_000) } }));
  kept.push(await storeCall(api.redis, { ...tenant, params: { text: 'x'.repeat(900_000) } }));
  kept.push(await storeCall(api.redis, { ...tenant, result: 'failed' }));
  const path = `/v1/calls?workspaceId=${tenant.workspaceId}&limit=100`;
  const { ids, counts } = await readAll(path);
  expect(ids).toEqual(kept);
  expect(counts).toEqual([3, 1, 1, 3, 1, 2]);
  const one = await api.ok('GET', `/v1/calls/${kept[5]}`);
  expect(one.result.bytes.length).toBe(990_000);
  expect(one).toMatchObject({ status: 'succeeded', error: null, txid: expect.any(Number) });
  const failed = await api.ok('GET', `/v1/calls/${kept.at(-1)}`);
  expect(failed).toMatchObject({ status: 'failed', result: null, error: { code: 'messenger_failed' } });
});

test('a page of records holds a MiB, or one', async () => {
  const { organizationId, workspaceId } = await api.aTenant();
  const view = viewKey('webhooks', `workspace:${workspaceId}`);
  const base = { workspaceId, organizationId, kinds: null, messengerAccountIds: null, status: 'enabled' };
  const rest = { disabledReason: null, disabledAt: null, gap: null, createdAt: new Date().toISOString() };
  for (let number = 0; number < 9; number++) {
    const id = `wh_${String(number).padStart(26, '0')}`;
    // One of them has more than a page.
    const description = 'x'.repeat(number === 4 ? 1.5 * MiB : 300_000);
    const record = { id, ...base, url: 'https://a.example', description, ...rest, secrets: [] };
    await api.redis.hset(recordsKey('webhooks'), id, JSON.stringify(record));
    await api.redis.zadd(view, 0, id);
  }
  const { ids, counts } = await readAll(`/v1/webhooks?workspaceId=${workspaceId}&limit=100`);
  expect(ids.length).toBe(9);
  expect(counts).toEqual([3, 1, 1, 3, 1]);
});

test('a page of updates holds a MiB, or one, also where many small ones stand before', async () => {
  const { workspaceId } = await api.aTenant();
  const path = `/v1/workspaces/${workspaceId}/updates`;
  const small = Array.from({ length: 100 }, (_, number) => ({ value: number }));
  await appendUpdates(api.redis, workspaceId, small);
  for (let number = 0; number < 20; number++)
    await appendUpdates(api.redis, workspaceId, [{ value: 'x'.repeat(900_000) }]);
  const counts: number[] = [];
  for (let offset = '-1', isEnd = false; !isEnd; ) {
    const page = await api.request('GET', `${path}?offset=${offset}`);
    counts.push(page.body.length);
    offset = page.headers.get('stream-next-offset') as string;
    isEnd = page.headers.get('stream-up-to-date') === 'true';
  }
  expect(counts).toEqual([101, ...Array.from({ length: 19 }, () => 1)]);
});

test('a live read is sent a quarter of a MiB at once, or one update', async () => {
  const { workspaceId } = await api.aTenant();
  const path = `/v1/workspaces/${workspaceId}/updates?live=long-poll`;
  for (const size of [100_000, 100_000, 100_000, 400_000])
    await appendUpdates(api.redis, workspaceId, [{ value: 'x'.repeat(size) }]);
  const counts: number[] = [];
  for (let offset = '-1'; counts.length < 3; ) {
    const page = await api.request('GET', `${path}&offset=${offset}`);
    counts.push(page.body.length);
    offset = page.headers.get('stream-next-offset') as string;
  }
  expect(counts).toEqual([2, 1, 1]);
});

test('a filtered page that finds nothing ends after ten pages, and says where to go on', async () => {
  const { workspaceId } = await api.aTenant();
  const path = `/v1/workspaces/${workspaceId}/updates?kind=RawUpdateNewMessage`;
  for (let number = 0; number < 24; number++)
    await appendUpdates(api.redis, workspaceId, [{ value: 'x'.repeat(500_000) }]);
  const first = await api.request('GET', `${path}&offset=-1`);
  expect([first.body, first.headers.get('stream-up-to-date')]).toEqual([[], null]);
  const second = await api.request('GET', `${path}&offset=${first.headers.get('stream-next-offset')}`);
  expect([second.body, second.headers.get('stream-up-to-date')]).toEqual([[], 'true']);
});

test('a list of calls is merged from hundreds of workspaces with few commands', async () => {
  const { id: organizationId } = await api.ok('POST', '/v1/organizations', { name: 'Wide' });
  const key = await api.aKey({ organizationId }, ['calls:read', 'accounts:read']);
  const kept: string[] = [];
  const failed: string[] = [];
  let accountId = '';
  const workspaces: string[] = [];
  for (let number = 0; number < 250; number++) {
    const { id } = await api.ok('POST', '/v1/workspaces', { name: 'One of many', organizationId });
    workspaces.push(id);
  }
  for (let round = 0; round < 3; round++) {
    for (const [index, workspaceId] of workspaces.entries()) {
      if (round > 0 && index % 7 !== 0) continue;
      const result = index % 5 === 0 ? 'failed' : { _: 'help.support' };
      accountId = `acc_${'0'.repeat(26)}`;
      const id = await storeCall(api.redis, { organizationId, workspaceId, accountId, result });
      kept.push(id);
      if (result === 'failed') failed.push(id);
    }
  }
  // Not those of others.
  const other = await api.aTenant();
  await storeCall(api.redis, { ...other, result: 'failed' });
  const read = async (filter: string) => {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await api.ok('GET', `/v1/calls?limit=100${filter}${cursor}`, undefined, { key });
      found.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.hasMore) return found;
      cursor = `&startingAfter=${page.cursors.next}`;
    }
  };
  expect(await read('')).toEqual(kept);
  expect(await read('&status=failed')).toEqual(failed);
  expect(await read('&status=expired')).toEqual([]);
  expect(await read(`&messengerAccountId=${accountId}`)).toEqual(kept);
  const last = await api.ok('GET', '/v1/calls?limit=100', undefined, { key });
  const second = await api.ok('GET', `/v1/calls?limit=100&startingAfter=${last.cursors.next}`, undefined, {
    key,
  });
  const before = await api.ok(
    'GET',
    `/v1/calls?limit=30&endingBefore=${second.cursors.previous}`,
    undefined,
    {
      key,
    },
  );
  expect(before.data.map(({ id }: { id: string }) => id)).toEqual(kept.slice(70, 100));

  const earlier = await scriptRuns();
  await api.ok('GET', '/v1/calls?limit=100', undefined, { key });
  expect((await scriptRuns()) - earlier).toBeLessThan(12);
  // What is deleted is listed no more.
  const gone = kept.filter((_, index) => index < 10);
  for (let index = 0; index < 10; index++) {
    await api.ok('DELETE', `/v1/workspaces/${workspaces[index]}?cascade=true`);
  }
  const left = await read('');
  expect(left.some((id) => gone.includes(id))).toBe(false);
});

test('whoever waits for the end of a call holds one of the live reads of its key', async () => {
  const tenant = await api.aTenant();
  const key = await api.aKey({ workspaceId: tenant.workspaceId }, ['calls:read', 'updates:read']);
  const id = await storeCall(api.redis, tenant);
  const crowd = new Crowd();
  for (let count = 0; count < 4; count++)
    await crowd.send(api.url, getRequest(`/v1/calls/${id}?wait=60`, key));
  await eventually(() => crowd.statuses.get('429') === 1);
  const wait = () => api.request('GET', `/v1/calls/${id}?wait=1`, undefined, { key });
  const refused = await wait();
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  const poll = `/v1/workspaces/${tenant.workspaceId}/updates?offset=now&live=long-poll`;
  expect((await api.request('GET', poll, undefined, { key })).status).toBe(429);
  // Without a wait it is no live read.
  expect((await api.request('GET', `/v1/calls/${id}`, undefined, { key })).status).toBe(200);
  crowd.leave();
  await eventually(async () => (await wait()).status === 200);
});

test('beyond a hundred reads that wait, those of a key are refused, and those of others are not', async () => {
  const tenant = await api.aTenant();
  const other = await api.aTenant();
  const key = await api.aKey({ workspaceId: tenant.workspaceId }, ['updates:read']);
  const otherKey = await api.aKey({ workspaceId: other.workspaceId }, ['updates:read']);
  const small = Array.from({ length: 400 }, (_, number) => ({ value: number }));
  await appendUpdates(api.redis, tenant.workspaceId, small);
  await appendUpdates(api.redis, tenant.workspaceId, [{ value: 'x'.repeat(200_000) }]);
  const path = `/v1/workspaces/${tenant.workspaceId}/updates`;
  const all: { offset: string }[] = await api.ok('GET', path);
  // Each is another read.
  const requests = all.slice(0, 400).map(({ offset }) => getRequest(`${path}?offset=${offset}`, key));
  const connections = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(api.url)));
  for (const [index, connection] of connections.entries())
    connection.send(requests.slice(10 * index, 10 * index + 10).join(''));
  const next = `/v1/workspaces/${other.workspaceId}/updates`;
  const others = Array.from({ length: 20 }, () => api.request('GET', next, undefined, { key: otherKey }));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  const answers = (await Promise.all(connections.map((connection) => connection.answers(10)))).flat();
  for (const connection of connections) connection.close();
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(300);
  expect(answers.filter(({ status }) => status === 200).length).toBe(400 - refused.length);
  for (const { headers, body } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(body)).toMatchObject({ code: 'rate_limited', retryable: true });
  }
});

test('what nobody waits for any more is not read', async () => {
  const tenant = await api.aTenant();
  const key = await api.aKey({ workspaceId: tenant.workspaceId }, ['updates:read']);
  const offsets: string[] = [];
  for (let number = 0; number < 60; number++) {
    await appendUpdates(api.redis, tenant.workspaceId, [{ value: 'x'.repeat(500_000) }]);
    const head = await api.request('HEAD', `/v1/workspaces/${tenant.workspaceId}/updates`);
    offsets.push(head.headers.get('stream-next-offset') as string);
  }
  const requests = offsets.map((offset) =>
    getRequest(`/v1/workspaces/${tenant.workspaceId}/updates?offset=${offset}`, key),
  );
  const crowd = new Crowd();
  const before = await scriptRuns();
  await crowd.send(api.url, requests.join(''));
  await eventually(() => crowd.bytes > 0, { everyMs: 1 });
  crowd.leave();
  await sleep(1_000);
  // All of them would take two scripts each: one finds the workspace, one reads.
  expect((await scriptRuns()) - before).toBeLessThan(60);
});

async function scriptRuns(): Promise<number> {
  const stats = await api.redis.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}
