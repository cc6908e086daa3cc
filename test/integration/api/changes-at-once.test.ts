import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { addressIn, aSeededTenant, type Tenant } from '../../support/api/tenant-routes.ts';

const AT_ONCE = 100;
// What lets a request in, finds the record, changes it and tells others; of webhooks four are changed at once.
const SCRIPTS_EACH = 9;

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await aSeededTenant(api);
});
afterAll(() => api.stop());

async function scriptsRun(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await api.redis.info('commandstats'))?.[1] ?? 0);
}

it.each([
  ['PATCH', '/v1/workspaces/:id', 'name'],
  ['PATCH', '/v1/messenger-accounts/:id', 'name'],
  ['PATCH', '/v1/api-keys/:id', 'name'],
  ['PATCH', '/v1/webhooks/:id', 'description'],
  ['POST', '/v1/webhooks/:id/rotate-secret', null],
])('%s %s takes a few commands for each of many requests at once', async (method, path, member) => {
  const address = addressIn(tenant, path);
  const before = await scriptsRun();
  const asked = Array.from({ length: AT_ONCE }, (_, at) =>
    api.request(method, address, member === null ? undefined : { [member]: `Name ${at}` }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await scriptsRun()) - before).toBeLessThan(SCRIPTS_EACH * AT_ONCE);
});
