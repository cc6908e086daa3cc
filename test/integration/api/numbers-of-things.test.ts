import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';

const MOST = 4;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({
    ORGANIZATIONS_MAX: '6',
    WORKSPACES_PER_ORGANIZATION: String(MOST),
    ACCOUNTS_PER_WORKSPACE: String(MOST),
    API_KEYS_PER_ORGANIZATION: '6',
    API_KEYS_PER_WORKSPACE: String(MOST),
    WEBHOOKS_PER_WORKSPACE: String(MOST),
    WEBHOOKS_ALLOW_PRIVATE: '1',
  });
});
afterAll(() => api.stop());

/** Makes more than there may be, all at once; gives how many were made and what the others were told. */
async function makeAtOnce(collection: string, body: object, count = 12) {
  const answers = await Promise.all(
    Array.from({ length: count }, () => api.request('POST', `/v1/${collection}`, body)),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  return { made: answers.filter(({ status }) => status === 201), refused };
}

test.each(['workspaces', 'messenger-accounts', 'api-keys', 'webhooks'])(
  'of %s there are as many as the setting says, also when they are made at once, and one more when one is deleted',
  async (collection) => {
    const { id: organizationId } = await api.ok('POST', '/v1/organizations', { name: 'Own' });
    const { id: workspaceId } = await api.ok('POST', '/v1/workspaces', { name: 'Own', organizationId });
    const bodies: Record<string, object> = {
      workspaces: { name: 'x', organizationId },
      'messenger-accounts': { name: 'x', workspaceId },
      'api-keys': { name: 'x', workspaceId, scopes: ['calls:write'] },
      webhooks: { workspaceId, url: 'http://127.0.0.1:9/' },
    };
    const body = bodies[collection] as object;
    const { made, refused } = await makeAtOnce(collection, body);
    expect(made).toHaveLength(collection === 'workspaces' ? MOST - 1 : MOST);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', retryable: false } });
      expect(answer.body.detail).toMatch(
        /^The limit of .* is 4: delete some, or have the operator raise [A-Z_]+\.$/,
      );
    }
    await api.ok('DELETE', `/v1/${collection}/${made[0]?.body.id}`);
    expect((await makeAtOnce(collection, body)).made).toHaveLength(1);
    await api.ok('DELETE', `/v1/organizations/${organizationId}?cascade=true`);
  },
);

test('of API keys an organization has no more in all its workspaces together', async () => {
  const { id: organizationId } = await api.ok('POST', '/v1/organizations', { name: 'Own' });
  const scopes = ['calls:write'];
  for (let i = 0; i < 2; i += 1) {
    const { id: workspaceId } = await api.ok('POST', '/v1/workspaces', { name: 'Own', organizationId });
    const { made } = await makeAtOnce('api-keys', { name: 'x', scopes, workspaceId }, 3);
    expect(made).toHaveLength(3);
  }
  const { made, refused } = await makeAtOnce('api-keys', { name: 'x', scopes, organizationId }, 2);
  expect(made).toHaveLength(0);
  expect(refused[0]?.body.detail).toContain('The limit of api keys in this organization is 6');
  await api.ok('DELETE', `/v1/organizations/${organizationId}?cascade=true`);
});

test('of organizations there are as many as the setting says', async () => {
  const { made, refused } = await makeAtOnce('organizations', { name: 'x' });
  expect(made).toHaveLength(6);
  expect(refused[0]).toMatchObject({ status: 409, body: { code: 'conflict' } });
});
