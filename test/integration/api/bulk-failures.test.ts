import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../support/api/api.ts';

const lines: string[] = [];
let api: TestApi;
let tenant: { workspaceId: string; accountId: string };

beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) };
  api = await TestApi.start({ LOG_LEVEL: 'info' }, { logTo });
  tenant = await api.aTenant();
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(() => api.stop());

/** The failures that the log tells of: the route, and what was wrong. */
function failures(): unknown[] {
  const found = lines.map((line) => JSON.parse(line));
  return found.filter(({ msg }) => msg === 'request failed').map(({ route, err }) => [route, err.message]);
}

it('the log has the reason once for all calls of a bulk that failed without one', async () => {
  const one = { accountId: tenant.accountId, method: 'help.getSupport', params: {} };
  const path = `/workspaces/${tenant.workspaceId}/calls`;
  const { results } = await api.ok('POST', path, { calls: [one, one, one] });
  expect(results.map(({ body }: { body: { code: string } }) => body.code)).toEqual(Array(3).fill('internal'));
  expect(failures()).toEqual([['/workspaces/:workspaceId/calls', 'there is no queue here']]);
});

it('and for all accounts of a request', async () => {
  const { workspaceId, accountId } = tenant;
  api.book.failWith = new Error('the driver is mad');
  const accounts = [{ name: 'One' }, { name: 'Two' }];
  const made = await api.ok('POST', '/v1/messenger-accounts/bulk', { workspaceId, accounts });
  const deleted = await api.ok('POST', '/v1/messenger-accounts/bulk-delete', { ids: [accountId] });
  api.book.failWith = null;
  const statuses = [...made.results, ...deleted.results].map(({ status }) => status);
  expect(statuses).toEqual([500, 500, 500]);
  expect(failures()).toEqual([
    ['/v1/messenger-accounts/bulk', 'the driver is mad'],
    ['/v1/messenger-accounts/bulk-delete', 'the driver is mad'],
  ]);
});
