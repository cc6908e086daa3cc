import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCH_MAX } from '../../../src/api/calls/method-search.ts';
import { publishDriverMethods } from '../../../src/directory/driver-methods.ts';
import { methods } from '../../../workers/sandbox/methods.ts';
import { type ApiAnswer, TestApi } from '../../support/api/api.ts';

const EXECUTED = Object.keys(methods).toSorted();

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await publishDriverMethods(api.redis, 'sandbox', EXECUTED);
  await publishDriverMethods(api.redis, 'other', ['messages.sendMessage']);
});
afterAll(() => api.stop());

/** The names on all pages of a list, and how many bytes the largest page has. */
async function listAll(query: string): Promise<{ names: string[]; largest: number }> {
  const names: string[] = [];
  let largest = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&startingAfter=${encodeURIComponent(cursor)}`;
    const page: ApiAnswer['body'] = await api.ok('GET', `/v1/methods?limit=100${query}${from}`);
    names.push(...namesOn(page));
    largest = Math.max(largest, JSON.stringify(page).length);
    cursor = page.cursors.next;
  }
  return { names, largest };
}

function namesOn({ data }: ApiAnswer['body']): string[] {
  return data.map(({ name }: { name: string }) => name);
}

describe('GET /v1/methods', () => {
  test('lists every method in brief, by name, in both directions', async () => {
    const { names, largest } = await listAll('');
    expect(names.length).toBe(787);
    expect(names).toEqual(names.toSorted());
    expect(largest).toBeLessThan(64 * 1024);
    const last = await api.ok('GET', '/v1/methods?limit=100&search=messages');
    const second = await api.ok(
      'GET',
      `/v1/methods?limit=100&search=messages&startingAfter=${last.cursors.next}`,
    );
    const back = `/v1/methods?limit=100&search=messages&endingBefore=${second.cursors.previous}`;
    expect(namesOn(await api.ok('GET', back))).toEqual(namesOn(last));
  });

  test('lists those that workers execute, and the others', async () => {
    const executed = await listAll('&executed=true');
    expect(executed.names).toEqual(EXECUTED);
    const others = await listAll('&executed=false');
    expect(others.names.length).toBe(787 - EXECUTED.length);
    expect(others.names).not.toContain('messages.sendMessage');
  });

  test.each([
    ['sendMessage', 'messages.sendMessage'],
    ['send message', 'messages.sendMessage'],
    ['SEND_MESSAGE', 'messages.sendMessage'],
    ['messages.sendMessage', 'messages.sendMessage'],
    ['complete passkey', 'account.registerPasskey'],
    ['getGroupCall', 'phone.getGroupCall'],
  ])('a search for %s finds %s first', async (search, name) => {
    const page = await api.ok('GET', `/v1/methods?executed=true&search=${encodeURIComponent(search)}`);
    expect(page.data[0]).toEqual({
      name,
      purpose: expect.stringMatching(/./),
      executed: true,
      readOnly: expect.any(Boolean),
    });
  });

  test('a search for nothing there is finds nothing', async () => {
    expect(await api.ok('GET', '/v1/methods?search=zebra')).toMatchObject({ data: [], hasMore: false });
  });

  test.each([
    ['search', 'search=...'],
    ['search', 'search='],
    ['search', `search=${'x'.repeat(SEARCH_MAX + 1)}`],
    ['search', 'search=a&search=b'],
    ['executed', 'executed=yes'],
    ['executed', 'executed=true&executed=true'],
  ])('refuses a wrong %s: %s', async (name, query) => {
    const { status, body } = await api.request('GET', `/v1/methods?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
    expect(body.errors[0].pointer).toBe(`/${name}`);
  });

  test('takes a search of the greatest length', async () => {
    const search = encodeURIComponent('a b c d e '.repeat(7).slice(0, SEARCH_MAX).trim());
    expect((await api.request('GET', `/v1/methods?search=${search}`)).status).toBe(200);
  });

  test('gives a cursor for one search only', async () => {
    const page = await api.ok('GET', '/v1/methods?search=message&limit=1');
    const other = `/v1/methods?search=chat&limit=1&startingAfter=${page.cursors.next}`;
    expect(await api.request('GET', other)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});

describe('GET /v1/methods/{name}', () => {
  test('tells of each executed method, with an example where there is one', async () => {
    let examples = 0;
    for (const name of EXECUTED) {
      const method = await api.ok('GET', `/v1/methods/${name}`);
      expect(method).toMatchObject({ name, executed: true, paramsSchema: { type: 'object' } });
      expect(method.drivers).toContain('sandbox');
      expect(method.resultTypes.length).toBeGreaterThan(0);
      examples += method.example === null ? 0 : 1;
    }
    expect(examples).toBeGreaterThan(80);
  });

  test('says where the sandbox differs, or that it does not', async () => {
    const { sandboxDifference } = await api.ok('GET', '/v1/methods/payments.sendPaymentForm');
    expect(sandboxDifference).toBe('No money moves; every card is accepted.');
    expect((await api.ok('GET', '/v1/methods/messages.sendMessage')).sandboxDifference).toBeNull();
    const { paths } = await api.ok('GET', '/openapi.json');
    const call = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call/payments.sendPaymentForm';
    expect(paths[call].post.description).toMatch(
      / In the sandbox: No money moves; every card is accepted\.$/,
    );
  });

  test('names all drivers that execute it', async () => {
    const { drivers, example } = await api.ok('GET', '/v1/methods/messages.sendMessage');
    expect(drivers).toEqual(['other', 'sandbox']);
    expect(example.params.message).toEqual(expect.any(String));
  });

  test('tells of one that no driver executes', async () => {
    const method = await api.ok('GET', '/v1/methods/langpack.getLanguages');
    expect(method).toMatchObject({ executed: false, drivers: [], example: null });
    expect(method.paramsSchema.properties.langPack).toBeDefined();
  });

  test.each(['messages.sendMesage', 'sendMessage', 'invokeWithLayer', '__proto__', 'x'.repeat(200)])(
    'answers 404 to another name: %s',
    async (name) => {
      const { status, body } = await api.request('GET', `/v1/methods/${name}`);
      expect([status, body.code]).toEqual([404, 'unknown_method']);
      expect(body.detail).toMatch(/did you mean `messages\.sendMessage`|GET \/v1\/methods\?search=/);
    },
  );

  test('answers 404 for an account that the key may not see', async () => {
    const [tenant, other] = [await api.aTenant(), await api.aTenant()];
    const path = `/v1/methods/messages.sendMessage?messengerAccountId=${tenant.accountId}`;
    const own = await api.aKey({ workspaceId: tenant.workspaceId }, ['accounts:read']);
    expect((await api.request('GET', path, undefined, { key: own })).status).toBe(200);
    const foreign = await api.aKey({ workspaceId: other.workspaceId }, ['accounts:read']);
    expect((await api.request('GET', path, undefined, { key: foreign })).status).toBe(404);
  });
});
