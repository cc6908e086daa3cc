import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptCall } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall, FailedStatus } from '../../../src/async-calls/async-call.ts';
import { markDue } from '../../../src/async-calls/due-workspaces.ts';
import { endCall } from '../../../src/async-calls/end-call.ts';
import { newId } from '../../../src/ids.ts';
import { Problem } from '../../../src/problem.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;

beforeAll(async () => {
  api = await TestApi.start();
});
beforeEach(async () => {
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

const idsAt = async (path: string) => (await api.ok('GET', path)).data.map(({ id }: { id: string }) => id);

async function walk(
  path: string,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  for (let url: string | null = path; url !== null; ) {
    const { body, headers } = await api.request('GET', url);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
    expect(next !== null).toBe(body.hasMore);
    url = next;
    if (next !== null) await between();
  }
  return seen;
}

describe('records', () => {
  async function workspaces(count: number): Promise<{ id: string; createdAt: string }[]> {
    const made = [];
    for (let n = 0; n < count; n += 1) {
      const body = { name: `w${n}`, organizationId: tenant.organizationId };
      made.push(await api.ok('POST', '/v1/workspaces', body));
    }
    return made;
  }

  const base = () => `/v1/workspaces?organizationId=${tenant.organizationId}`;

  it('come newest first, each once, by their Link while others are made and deleted', async () => {
    const made = await workspaces(12);
    const doomed = [made[10], made[1]];
    const seen = await walk(`${base()}&sort=-createdAt&limit=5`, async () => {
      const one = doomed.shift();
      if (one) await api.ok('DELETE', `/v1/workspaces/${one.id}`);
      await workspaces(1);
    });
    const stay = made.filter((_, n) => n !== 1).map(({ id }) => id);
    expect(seen).toEqual([...stay.toReversed(), tenant.workspaceId]);
  });

  it('have links to the first page and the one before', async () => {
    await workspaces(2);
    const first = await api.request('GET', `${base()}&limit=1`);
    const second = await api.request('GET', `${base()}&limit=1&startingAfter=${first.body.cursors.next}`);
    const links = second.headers.get('link') as string;
    expect(links).toContain(`<${base()}&limit=1>; rel="first"`);
    expect(links).toContain(`<${base()}&limit=1&endingBefore=${second.body.cursors.previous}>; rel="prev"`);
    expect(first.headers.get('link')).not.toContain('rel="prev"');
  });

  it.each(['', 'http://elsewhere.example'])(
    'have links to this host if asked for as %s//v1',
    async (host) => {
      await workspaces(1);
      const path = `${host}${base().replace('/v1/', '//v1//')}&limit=1`;
      const headers = { authorization: `Bearer ${api.rootKey}` };
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(api.url, { path, headers }, resolve).on('error', reject);
      });
      answer.resume();
      expect(answer.headers.link).toContain(
        `<${base()}&limit=1>; rel="first", <${base()}&limit=1&startingAfter=`,
      );
    },
  );

  it('of a range of times are those made then', async () => {
    const made = await workspaces(4);
    const [from, to] = [made[1], made[3]].map((one) => one?.createdAt as string);
    const within = made.filter(
      ({ createdAt }) => createdAt >= (from as string) && createdAt < (to as string),
    );
    const path = `${base()}&createdAfter=${from}&createdBefore=${to}`;
    expect(await idsAt(path)).toEqual(within.map(({ id }) => id));
    expect(await idsAt(`${base()}&createdBefore=${to}&createdAfter=${to}`)).toEqual([]);
    expect(await idsAt(`${base()}&createdBefore=2000-01-01T00:00:00Z`)).toEqual([]);
    expect(await walk(`${path}&sort=-createdAt&limit=1`)).toEqual(within.map(({ id }) => id).reverse());
  });

  it('have cursors of one order and range only', async () => {
    await workspaces(2);
    const { cursors } = await api.ok('GET', `${base()}&limit=1&sort=-createdAt`);
    for (const other of ['', '&sort=createdAt', '&sort=-createdAt&createdAfter=2020-01-01T00:00:00Z']) {
      const answer = await api.request('GET', `${base()}&limit=1&startingAfter=${cursors.next}${other}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    }
  });

  it.each([
    'sort=name',
    'sort=-createdAt&sort=createdAt',
    'createdAfter=yesterday',
    'createdAfter=2020-01-01',
    `createdAfter=2020-01-01T00:00:00.${'0'.repeat(100)}Z`,
    'finishedAfter=2020-01-01T00:00:00Z',
  ])('refuse %s', async (query) => {
    expect(await api.request('GET', `${base()}&${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_query' },
    });
  });

  it('are narrowed by more than one filter', async () => {
    const { organizationId, workspaceId, accountId } = tenant;
    const accounts = `/v1/messenger-accounts?organizationId=${organizationId}`;
    const { status, driver } = await api.ok('GET', `/v1/messenger-accounts/${accountId}`);
    const other = status === 'active' ? 'unauthorized' : 'active';
    expect(await idsAt(`${accounts}&status=${status}&driver=${driver}`)).toEqual([accountId]);
    expect(await idsAt(`${accounts}&status=${other}`)).toEqual([]);
    expect(await idsAt(`${accounts}&workspaceId=${workspaceId}`)).toEqual([accountId]);
    expect(await idsAt(`${accounts}&workspaceId=${newId('workspace')}`)).toEqual([]);
    const foreign = await api.aTenant();
    const key = await api.aKey({ organizationId: foreign.organizationId }, ['accounts:read']);
    expect((await api.ok('GET', `${accounts}&status=${status}`, undefined, { key })).data).toEqual([]);
  });
});

describe('calls', () => {
  async function aCall(method: string, accountId = tenant.accountId): Promise<AsyncCall> {
    const { workspaceId, organizationId } = tenant;
    const id = newId('call');
    const call: AsyncCall = {
      ...{ id, workspaceId, organizationId, messengerAccountId: accountId, method, params: {}, seed: id },
      ...{ createdAt: Date.now(), scheduleAt: null, expiresAt: Date.now() + 60_000, replayOf: null },
    };
    await acceptCall(api.redis, call, null, { openMax: 1_000, bytesMax: 2 ** 28 });
    await markDue(api.redis, workspaceId, Date.now() + 60_000);
    return call;
  }

  async function end(call: AsyncCall, status: FailedStatus, at: number): Promise<void> {
    await endCall(api.redis, call, status, new Problem('canceled'), Date.now());
    const key = stateKey(call.workspaceId, `async:ended:${status}`);
    await api.redis.zadd(key, 'XX', at, `${call.id} ${call.messengerAccountId} ${status}`);
  }

  it('that failed in the last minutes come first, by when they ended, whenever they were made', async () => {
    const now = Date.now();
    const calls = [];
    for (const method of [
      'help.getConfig',
      'help.getSupport',
      'help.getConfig',
      'help.getSupport',
      'help.getConfig',
    ])
      calls.push(await aCall(method));
    const [a, b, c, d, e] = calls as [AsyncCall, AsyncCall, AsyncCall, AsyncCall, AsyncCall];
    await end(a, 'failed', now - 1_000);
    await end(b, 'failed', now - 10 * 60_000);
    await end(c, 'canceled', now - 2_000);
    await end(d, 'failed', now - 3_000);
    const of = `/v1/calls?workspaceId=${tenant.workspaceId}`;
    const since = new Date(now - 5 * 60_000).toISOString();
    expect(await idsAt(`${of}&status=failed&finishedAfter=${since}&sort=-finishedAt`)).toEqual([a.id, d.id]);
    expect(await idsAt(`${of}&status=failed&finishedAfter=${since}`)).toEqual([d.id, a.id]);
    expect(await walk(`${of}&sort=-finishedAt&limit=1`)).toEqual([a.id, c.id, d.id, b.id]);
    expect(await walk(`${of}&sort=-createdAt&limit=2`)).toEqual([e.id, d.id, c.id, b.id, a.id]);
    expect(await walk(`${of}&method=help.getConfig&limit=1`)).toEqual([a.id, c.id, e.id]);
    expect(await idsAt(`${of}&sort=finishedAt&messengerAccountId=${tenant.accountId}`)).toHaveLength(4);
    expect(await idsAt(`${of}&sort=finishedAt&messengerAccountId=acc_x`)).toEqual([]);
    expect(await idsAt(`${of}&messengerAccountId=all`)).toEqual([]);
    const odd = await api.request('GET', `${of}&messengerAccountId=a?b&limit=1`);
    expect(odd.headers.get('link')).toContain('&messengerAccountId=a%3Fb&limit=1>; rel="first"');
    // As an earlier release wrote it.
    const key = (name: string) => stateKey(tenant.workspaceId, `async:ended${name}`);
    await api.redis.rename(key(':failed'), key(''));
    expect(await walk(`${of}&sort=-finishedAt&status=failed&limit=1`)).toEqual([a.id, d.id, b.id]);
    expect(await walk(`${of}&sort=-finishedAt&limit=1`)).toEqual([a.id, c.id, d.id, b.id]);
  });

  it('that ended are found by the time that they show, whatever the clock of whoever ended them', async () => {
    const call = await aCall('help.getConfig');
    await endCall(api.redis, call, 'failed', new Problem('canceled'), Date.now() + 60_000);
    const of = `/v1/calls?workspaceId=${tenant.workspaceId}`;
    const { finishedAt } = (await api.ok('GET', of)).data[0];
    const after = new Date(Date.parse(finishedAt) + 1).toISOString();
    expect(await idsAt(`${of}&finishedAfter=${finishedAt}`)).toEqual([call.id]);
    expect(await idsAt(`${of}&finishedAfter=${after}`)).toEqual([]);
    expect(await idsAt(`${of}&finishedBefore=${after}&finishedAfter=${finishedAt}`)).toEqual([call.id]);
  });

  it('of several workspaces are merged in the order of their ends', async () => {
    const now = Date.now();
    const ended: string[] = [];
    const of = tenant;
    for (let n = 0; n < 6; n += 1) {
      if (n === 3) {
        const body = { name: 'another', organizationId: of.organizationId };
        tenant = { ...of, workspaceId: (await api.ok('POST', '/v1/workspaces', body)).id };
      }
      const call = await aCall('help.getConfig');
      await end(call, n % 2 === 0 ? 'failed' : 'expired', now - (n % 3) * 10 - n);
      ended[(n % 3) * 2 + Math.floor(n / 3)] = call.id;
    }
    const key = await api.aKey({ organizationId: of.organizationId }, ['calls:read']);
    const page = await api.ok('GET', '/v1/calls?sort=-finishedAt', undefined, { key });
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual(ended);
  });

  it('go on from a cursor of an earlier release', async () => {
    const made = [await aCall('help.getConfig'), await aCall('help.getConfig')];
    const name = ['calls', 'all', tenant.workspaceId, '', ''].join('\0');
    const cursor = api.deps.directory.cursors.seal(name, { side: 'after', id: made[0]?.id as string });
    const path = `/v1/calls?workspaceId=${tenant.workspaceId}&startingAfter=${cursor}`;
    expect(await idsAt(path)).toEqual([made[1]?.id]);
  });

  it.each(['queued', 'running'])('that are %s are not asked for by when they ended', async (status) => {
    for (const query of ['sort=-finishedAt', 'finishedAfter=2030-01-01T00:00:00Z'])
      expect(await api.request('GET', `/v1/calls?status=${status}&${query}`)).toMatchObject({
        status: 400,
        body: { code: 'conflicting_parameters', detail: expect.stringContaining('createdAt') },
      });
  });

  it('are not ordered by one time and limited by another', async () => {
    const time = '2030-01-01T00:00:00Z';
    for (const query of [
      `sort=createdAt&finishedAfter=${time}`,
      `sort=finishedAt&createdAfter=${time}`,
      `createdBefore=${time}&finishedBefore=${time}`,
    ])
      expect(await api.request('GET', `/v1/calls?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'conflicting_parameters' },
      });
  });
});

it('deliveries come by when they were over, narrowed by status and account', async () => {
  const { workspaceId, accountId } = tenant;
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url: 'https://192.0.43.8/' });
  const owner = { id, workspaceId };
  const made: string[] = [];
  for (const [n, status] of (['failed', 'succeeded', 'failed', 'failed'] as const).entries()) {
    const one = newDelivery({
      kind: 'x',
      offset: '1',
      messengerAccountId: n === 2 ? null : accountId,
      data: {},
    });
    const at = Date.now() - n * 60_000;
    const record = { ...one, status, settledAt: new Date(at).toISOString() };
    await api.redis.hset(lineKey(owner, 'deliveries'), one.id, JSON.stringify(record));
    await api.redis.zadd(lineKey(owner, 'settled'), at, one.id);
    for (const log of ['log:all', `log:${status}`] as const)
      await api.redis.zadd(lineKey(owner, log), 0, one.id);
    made.push(one.id);
  }
  const of = `/v1/webhooks/${id}/deliveries`;
  const since = new Date(Date.now() - 150_000).toISOString();
  expect(await walk(`${of}?sort=-settledAt&limit=1`)).toEqual(made);
  expect(await walk(`${of}?sort=-createdAt&limit=3`)).toEqual(made.toReversed());
  expect(await idsAt(`${of}?status=failed&settledAfter=${since}`)).toEqual([made[2], made[0]]);
  expect(await idsAt(`${of}?status=failed&messengerAccountId=${accountId}`)).toEqual([made[0], made[3]]);
  expect(await api.request('GET', `${of}?status=queued&sort=settledAt`)).toMatchObject({
    status: 400,
    body: { code: 'conflicting_parameters', detail: expect.stringContaining('createdAt') },
  });
});

describe('an entity tag', () => {
  const at = () => `/v1/workspaces/${tenant.workspaceId}`;
  const tagOf = async () => (await api.request('GET', at())).headers.get('etag') as string;

  it('tells that a record is still the same', async () => {
    const tag = await tagOf();
    expect(tag).toMatch(/^"[\w-]+\.[\w-]+"$/);
    const same = await api.request('GET', at(), undefined, { headers: { 'if-none-match': tag } });
    expect(same).toMatchObject({ status: 304 });
    expect(same.headers.get('etag')).toBe(tag);
    await api.ok('PATCH', at(), { name: 'other' });
    expect(await api.request('GET', at(), undefined, { headers: { 'if-none-match': tag } })).toMatchObject({
      status: 200,
    });
  });

  it('lets a record be changed and deleted only as it was read', async () => {
    const tag = await tagOf();
    const change = (name: string, ifMatch: string) =>
      api.request('PATCH', at(), { name }, { headers: { 'if-match': ifMatch } });
    const first = await change('first', tag);
    expect(first).toMatchObject({ status: 200 });
    expect(first.headers.get('etag')).toBe(await tagOf());
    for (const stale of [tag, `W/${await tagOf()}`, '"x"', 'nonsense'])
      expect(await change('second', stale)).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed' },
      });
    expect((await api.ok('GET', at())).name).toBe('first');
    expect(await change('third', `"x", ${await tagOf()}`)).toMatchObject({ status: 200 });
    expect(await change('fourth', '*')).toMatchObject({ status: 200 });
    const remove = (ifMatch: string) =>
      api.request('DELETE', `${at()}?cascade=true`, undefined, { headers: { 'if-match': ifMatch } });
    expect(await remove(tag)).toMatchObject({ status: 412 });
    expect(await remove(await tagOf())).toMatchObject({ status: 204 });
    expect(await api.request('GET', at())).toMatchObject({ status: 404 });
  });

  it('lets one of many changes pass that were made from the same', async () => {
    const headers = { 'if-match': await tagOf() };
    const changes = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? api.request('PATCH', at(), { name: `by ${n}` }, { headers })
        : api.request('DELETE', `${at()}?cascade=true`, undefined, { headers }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 300 && ![404, 412].includes(status))).toEqual([]);
  });

  it('lets one of many changes pass that are the same, too', async () => {
    const headers = { 'if-match': await tagOf() };
    const changes = Array.from({ length: 20 }, () =>
      api.request('PATCH', at(), { name: 'taken' }, { headers }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('lets one of many deletions pass that were made from the same', async () => {
    const headers = { 'if-match': await tagOf() };
    const deletions = Array.from({ length: 20 }, () =>
      api.request('DELETE', `${at()}?cascade=true`, undefined, { headers }),
    );
    const statuses = (await Promise.all(deletions)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, ...Array(19).fill(404)]);
  });

  it('of an account lets it be deleted, too', async () => {
    const path = `/v1/messenger-accounts/${tenant.accountId}`;
    const tag = (await api.request('GET', path)).headers.get('etag') as string;
    expect(tag).toMatch(/^"[\w-]+"$/);
    const gone = await api.request('DELETE', path, undefined, { headers: { 'if-match': tag } });
    expect(gone).toMatchObject({ status: 204 });
  });
});
