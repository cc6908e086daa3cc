import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteRecord, FORMER_RATES } from '../../../src/directory/delete-record.ts';
import { getRecord } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { TestApi } from '../../support/api/api.ts';
import { eraseDeleted } from '../../support/redis/erase-deleted.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ KEY_RATE_LIMIT: '40/3600', WEBHOOKS_ALLOW_PRIVATE: '1' });
});
afterAll(() => api.stop());

const scopes = ['workspaces:read', 'keys:read', 'keys:write', 'webhooks:write', 'calls:write', 'calls:read'];

interface Made {
  id: string;
  secret: string;
  workspaceId: string;
}

async function aKey(members: object = {}, key: string | null = null): Promise<Made> {
  const place = 'workspaceId' in members ? {} : { workspaceId: (await api.aTenant()).workspaceId };
  const options = key === null ? {} : { key };
  return api.ok('POST', '/v1/api-keys', { name: 'Key', scopes, ...place, ...members }, options);
}

const aDerived = ({ secret, workspaceId }: Made, members: object = {}) =>
  aKey({ workspaceId, ...members }, secret);

const list = (key: string) => api.request('GET', '/v1/workspaces', undefined, { key });

async function countAdmitted(keys: string[], requests: number): Promise<number> {
  let admitted = 0;
  for (let i = 0; i < requests; i += 1) {
    if ((await list(keys[i % keys.length] as string)).status === 200) admitted += 1;
  }
  return admitted;
}

describe('the rate limit of a key that a key has made', () => {
  test('is its maker’s too: many siblings get no more than one key', async () => {
    const rateLimit = { limit: 20, windowSeconds: 3_600 };
    const maker = await aKey({ rateLimit });
    const siblings = [];
    for (let i = 0; i < 5; i += 1) siblings.push((await aDerived(maker, { rateLimit })).secret);
    expect(await countAdmitted([...siblings, maker.secret], 40)).toBe(15);
  });

  test('is that of the setting where its maker has none, together with it', async () => {
    const maker = await aKey();
    const siblings = [maker.secret];
    for (let i = 0; i < 5; i += 1) siblings.push((await aDerived(maker)).secret);
    expect(await countAdmitted(siblings, 60)).toBe(35);
  });

  test('may be tighter, and does not use up its maker’s when it is used up', async () => {
    const maker = await aKey();
    const { secret } = await aDerived(maker, { rateLimit: { limit: 3, windowSeconds: 3_600 } });
    expect(await countAdmitted([secret], 20)).toBe(3);
    expect((await list(secret)).headers.get('ratelimit-policy')).toBe('"key";q=3;w=3600');
    expect(await countAdmitted([maker.secret], 50)).toBe(36);
  });

  test('is never looser than the setting, but where the root key says so', async () => {
    const maker = await aKey();
    const rateLimit = { limit: 41, windowSeconds: 3_600 };
    const wanted = { name: 'x', scopes, workspaceId: maker.workspaceId, rateLimit };
    const refused = await api.request('POST', '/v1/api-keys', wanted, { key: maker.secret });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(refused.body.detail).toContain('40 in 3600 seconds');
    const patch = (id: string, key: string) =>
      api.request('PATCH', `/v1/api-keys/${id}`, { rateLimit }, { key });
    expect((await patch(maker.id, maker.secret)).status).toBe(403);
    expect((await patch(maker.id, api.rootKey)).status).toBe(200);
  });

  test('is not loosened by a key that has not made it', async () => {
    const limited = await aKey({ rateLimit: { limit: 2, windowSeconds: 3_600 } });
    const { workspaceId } = limited;
    const other = await aKey({ workspaceId });
    const patch = (rateLimit: object | null) =>
      api.request('PATCH', `/v1/api-keys/${limited.id}`, { rateLimit }, { key: other.secret });
    expect((await patch({ limit: 3, windowSeconds: 3_600 })).status).toBe(403);
    expect((await patch(null)).status).toBe(403);
    expect((await patch({ limit: 1, windowSeconds: 3_600 })).status).toBe(200);
  });

  test('is not loosened past the setting by a key that has not made it', async () => {
    const usual = await aKey();
    const { workspaceId } = usual;
    const other = await aKey({ workspaceId, rateLimit: { limit: 1_000, windowSeconds: 60 } });
    const patch = (id: string, limit: number, windowSeconds: number) =>
      api.request(
        'PATCH',
        `/v1/api-keys/${id}`,
        { rateLimit: { limit, windowSeconds } },
        { key: other.secret },
      );
    expect((await patch(usual.id, 41, 3_600)).status).toBe(403);
    expect((await patch(usual.id, 40, 3_600)).status).toBe(200);
    // The limit of its maker goes on to hold.
    const derived = await aDerived(await aKey({ workspaceId }));
    expect((await patch(derived.id, 1_000, 60)).status).toBe(200);
  });

  test('follows a change of its maker’s, and goes on to hold when its maker is gone', async () => {
    const maker = await aKey();
    const derived = await aDerived(maker);
    await api.ok('PATCH', `/v1/api-keys/${maker.id}`, { rateLimit: { limit: 5, windowSeconds: 3_600 } });
    await api.ok('DELETE', `/v1/api-keys/${maker.id}?cascade=false`);
    expect((await list(maker.secret)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 550));
    const answer = await list(derived.secret);
    expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=5;w=3600');
    expect(await api.redis.hexists(FORMER_RATES, maker.id)).toBe(1);
    await api.ok('DELETE', `/v1/api-keys/${derived.id}`);
    expect(await api.redis.hexists(FORMER_RATES, maker.id)).toBe(0);
  });

  test('is as tight when its maker is gone as it was made while the maker was being deleted', async () => {
    const maker = await aKey();
    const { id, secret } = await aDerived(maker);
    // As the request to delete it has read it.
    const before = await getRecord(api.redis, 'api-keys', maker.id);
    await api.ok('PATCH', `/v1/api-keys/${maker.id}`, { rateLimit: { limit: 3, windowSeconds: 3_600 } });
    await deleteRecord(api.redis, 'api-keys', before, { children: 'keep' });
    api.deps.directory.apiKeys.forgetAll();
    // The third was that which made the key.
    expect(await countAdmitted([secret], 20)).toBe(2);
    await api.ok('DELETE', `/v1/api-keys/${id}`);
  });

  test.each(['true', 'false'])(
    'is not kept where a key deleted with ?cascade=%s has made a webhook alone',
    async (cascade) => {
      const maker = await aKey({ rateLimit: { limit: 5, windowSeconds: 3_600 } });
      const wanted = { workspaceId: maker.workspaceId, url: 'http://127.0.0.1:9/' };
      await api.ok('POST', '/v1/webhooks', wanted, { key: maker.secret });
      await api.ok('DELETE', `/v1/api-keys/${maker.id}?cascade=${cascade}`);
      expect(await api.redis.hexists(FORMER_RATES, maker.id)).toBe(0);
    },
  );

  test('ends with a chain of nine', async () => {
    let key = await aKey();
    for (let i = 0; i < 8; i += 1) key = await aDerived(key);
    const wanted = { name: 'x', scopes, workspaceId: key.workspaceId };
    expect((await api.request('POST', '/v1/api-keys', wanted, { key: key.secret })).status).toBe(403);
  });
});

describe('deleting a key that has made something', () => {
  /** A key, one that it made, one that this made, and a webhook of that. */
  async function aChain() {
    const first = await aKey();
    const second = await aDerived(first);
    const third = await aDerived(second);
    const body = { workspaceId: first.workspaceId, url: 'http://127.0.0.1:9/' };
    const webhook = await api.ok('POST', '/v1/webhooks', body, { key: third.secret });
    return { first, second, third, webhook };
  }

  test('is refused with what there is, unless the request says what becomes of that', async () => {
    const { first, second, third, webhook } = await aChain();
    expect([second, third, webhook].map((made) => (made as { createdBy?: string }).createdBy)).toEqual([
      first.id,
      second.id,
      third.id,
    ]);
    const refused = await api.request('DELETE', `/v1/api-keys/${first.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_empty' } });
    expect(refused.body.detail).toContain('has created 3 API keys and webhooks');
    const made = await api.ok('GET', `/v1/api-keys?createdBy=${first.id}`);
    expect(made.data.map(({ id }: Made) => id)).toEqual([second.id, third.id]);
    expect((await list(first.secret)).status).toBe(200);
  });

  test('ends all of it with ?cascade=true, at once', async () => {
    const { first, second, third, webhook } = await aChain();
    await api.ok('DELETE', `/v1/api-keys/${first.id}?cascade=true`);
    for (const { secret } of [first, second, third]) expect((await list(secret)).status).toBe(401);
    expect((await api.request('GET', `/v1/webhooks/${webhook.id}`)).status).toBe(404);
    expect((await api.request('GET', `/v1/api-keys/${third.id}`)).status).toBe(404);
    const { data } = await api.ok('GET', '/v1/webhooks?limit=100');
    expect(JSON.stringify(data)).not.toContain(webhook.id);
    await eraseDeleted(api.redis);
    for (const { id } of [first, second, third, webhook]) {
      // How much of a rate limit is used lapses by itself.
      const left = (await api.redis.keys(`*${id}*`)).filter((key) => !key.startsWith('sb:rate:'));
      expect(left).toEqual([]);
    }
    expect(await api.redis.hlen(FORMER_RATES)).toBe(0);
    const { data: kept } = await api.ok('GET', '/v1/api-keys?limit=100');
    expect(JSON.stringify(kept)).not.toContain(third.id);
  });

  test('leaves it with ?cascade=false', async () => {
    const { first, second, webhook } = await aChain();
    await api.ok('DELETE', `/v1/api-keys/${first.id}?cascade=false`);
    expect((await list(first.secret)).status).toBe(401);
    expect((await list(second.secret)).status).toBe(200);
    expect((await api.ok('GET', `/v1/webhooks/${webhook.id}`)).status).toBe('enabled');
    expect((await api.ok('GET', `/v1/api-keys?createdBy=${first.id}`)).data).toHaveLength(2);
  });

  test('cancels the calls that it and those it made have scheduled, and no others', async () => {
    const { workspaceId, accountId } = await api.aTenant();
    const first = await aKey({ workspaceId });
    const second = await aDerived(first);
    const other = await aKey({ workspaceId });
    const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
    const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = async ({ secret }: Made) =>
      (await api.ok('POST', path, { params: {}, scheduleAt }, { key: secret })).id;
    const calls = [await schedule(first), await schedule(second), await schedule(other)];
    await api.ok('DELETE', `/v1/api-keys/${first.id}?cascade=true`);
    await eraseDeleted(api.redis);
    const statuses = await Promise.all(
      calls.map(async (id) => (await api.ok('GET', `/v1/calls/${id}`)).status),
    );
    expect(statuses).toEqual(['canceled', 'canceled', 'queued']);
  });

  test('has it make nothing more, also where a process knows it yet', async () => {
    const maker = await aKey();
    expect((await list(maker.secret)).status).toBe(200);
    // As another process does it.
    await deleteRecord(api.redis, 'api-keys', await getRecord(api.redis, 'api-keys', maker.id), {
      children: 'keep',
    });
    const wanted = { name: 'Late', scopes, workspaceId: maker.workspaceId };
    const { status, headers } = await api.request('POST', '/v1/api-keys', wanted, { key: maker.secret });
    const challenge = 'Bearer realm="Switchboard", error="invalid_token"';
    expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
  });

  test('makes nothing more with a request that came before and whose body comes after', async () => {
    const maker = await aKey();
    let resolve = () => {};
    const deleted = new Promise<void>((done) => {
      resolve = done;
    });
    const body = JSON.stringify({ name: 'Late', scopes, workspaceId: maker.workspaceId });
    const answer = fetch(`${api.url}/v1/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${maker.secret}`, 'content-type': 'application/json' },
      body: new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode(body.slice(0, 5)));
          await deleted;
          controller.enqueue(new TextEncoder().encode(body.slice(5)));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    await new Promise((wait) => setTimeout(wait, 200));
    await api.ok('DELETE', `/v1/api-keys/${maker.id}`);
    resolve();
    expect((await answer).status).toBe(401);
  });
});

test('what a key has made is listed for those who may see the key only', async () => {
  const maker = await aKey();
  await aDerived(maker);
  const foreign = await aKey();
  const query = (id: string, key: string) =>
    api.ok('GET', `/v1/api-keys?createdBy=${id}`, undefined, { key });
  expect((await query(maker.id, maker.secret)).data).toHaveLength(1);
  expect((await query(maker.id, foreign.secret)).data).toEqual([]);
  expect((await query(newId('apiKey'), maker.secret)).data).toEqual([]);
  expect((await query('nonsense', api.rootKey)).data).toEqual([]);
});
