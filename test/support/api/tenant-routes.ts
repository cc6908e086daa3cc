import { newId } from '../../../src/ids.ts';
import type { TestApi } from './api.ts';

/** A route as it was registered. */
export interface Route {
  method: string;
  path: string;
}

/** What a tenant has, by the pattern of the address that names it. */
export type Fixtures = Record<string, string>;

/** What each parameter of an address names, and how a tenant comes by one. A new endpoint may need a line here. */
const MAKERS: Record<string, (api: TestApi, tenant: Tenant) => Promise<string> | string> = {
  '/v1/organizations/:id': (_, { organizationId }) => organizationId,
  '/v1/workspaces/:id': (_, { workspaceId }) => workspaceId,
  '/v1/messenger-accounts/:id': (_, { accountId }) => accountId,
  '/v1/api-keys/:id': async (api, { workspaceId }) =>
    (await api.ok('POST', '/v1/api-keys', { name: 'x', scopes: ['calls:write'], workspaceId })).id,
  '/v1/webhooks/:id': (api, { workspaceId, fixtures }) => webhookOf(api, workspaceId, fixtures),
  '/v1/calls/:id': async (api, { workspaceId, accountId }) => {
    const address = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
    const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
    return (await api.ok('POST', address, { params: {}, scheduleAt })).id;
  },
  '/v1/workers/:id': () => 'worker-none',
  ':kind': () => 'lane',
  ':id': () => 'slow',
  ':deliveryId': async (api, { fixtures, workspaceId }) =>
    (await api.ok('POST', `/v1/webhooks/${await webhookOf(api, workspaceId, fixtures)}/ping`)).id,
  ':workspaceId': (_, { workspaceId }) => workspaceId,
  ':accountId': (_, { accountId }) => accountId,
  ':method': () => 'help.getSupport',
  ':code': () => 'not_found',
  ':name': () => 'help.getSupport',
  ':version': () => 'another',
  ':file': () => 'main.js',
};

const A_PUBLIC_URL = 'https://8.8.8.8/hook';

/** Parameters of which no tenant is told whether there is such a thing. */
const NAMES_NOTHING_OF_A_TENANT = new Set([':method', ':name', ':code', ':kind', ':id', '/v1/workers/:id']);

/** Bodies that would do something, for the endpoints whose bodies name what belongs to a tenant. */
export const BODIES: Record<string, (tenant: Tenant) => object> = {
  'POST /v1/workspaces': ({ organizationId }) => ({ name: 'x', organizationId }),
  'POST /v1/messenger-accounts': ({ workspaceId }) => ({ name: 'x', workspaceId, driver: 'sandbox' }),
  'POST /v1/messenger-accounts/bulk': ({ workspaceId }) => ({ workspaceId, accounts: [{ name: 'x' }] }),
  'POST /v1/messenger-accounts/bulk-delete': ({ accountId }) => ({ ids: [accountId] }),
  'POST /v1/api-keys': ({ workspaceId }) => ({ name: 'x', workspaceId, scopes: ['calls:write'] }),
  'POST /v1/calls/replay': ({ workspaceId }) => ({ workspaceId }),
  'POST /v1/webhooks': ({ workspaceId }) => ({ workspaceId, url: A_PUBLIC_URL }),
};

async function webhookOf(api: TestApi, workspaceId: string, fixtures: Fixtures): Promise<string> {
  const known = fixtures['/v1/webhooks/:id'];
  return known ?? (await api.ok('POST', '/v1/webhooks', { workspaceId, url: A_PUBLIC_URL })).id;
}

/** An organization with a workspace and an account, and one of everything else that an address can name. */
export interface Tenant {
  organizationId: string;
  workspaceId: string;
  accountId: string;
  fixtures: Fixtures;
}

/** Makes a tenant that has something at every address of the API. */
export async function aSeededTenant(api: TestApi, beside?: Tenant): Promise<Tenant> {
  const place = beside === undefined ? await api.aTenant() : await aSiblingOf(api, beside);
  const tenant: Tenant = { ...place, fixtures: {} };
  for (const { path } of api.routes) {
    for (const parameter of parametersOf(path)) {
      const make = MAKERS[parameter];
      if (make === undefined) {
        throw new Error(
          `${path} names something that no tenant of the tests has: say in MAKERS of test/support/api/tenant-routes.ts ` +
            `how one comes by ${parameter}.`,
        );
      }
      tenant.fixtures[parameter] ??= await make(api, tenant);
    }
  }
  return tenant;
}

/** The address of a route with what a tenant has. */
export function addressIn({ fixtures }: Pick<Tenant, 'fixtures'>, path: string): string {
  let address = path;
  for (const parameter of parametersOf(path)) {
    const value = fixtures[parameter] ?? '';
    address = address.replace(parameter, parameter.startsWith('/') ? parameter.replace(':id', value) : value);
  }
  return address;
}

/** The same address, or JSON, with ids that nobody has. */
export function withAbsentIds(text: string): string {
  return text.replace(
    /([/"])([a-z]+)_[0-9a-z]{26}/g,
    (_, before, prefix) => `${before}${prefix}_${newId('call').slice(5)}`,
  );
}

/** Whether an address names something that belongs to a tenant. */
export function namesTenant({ path }: Route): boolean {
  return parametersOf(path).some((parameter) => !NAMES_NOTHING_OF_A_TENANT.has(parameter));
}

/** `:id` says what it is by what stands before it, every other parameter by its name. */
function parametersOf(path: string): string[] {
  return [...path.matchAll(/(\/v1\/[a-z-]+\/:id|:[A-Za-z]+)/g)].map(([parameter]) => parameter);
}

async function aSiblingOf(api: TestApi, { organizationId }: Tenant) {
  const { id: workspaceId } = await api.ok('POST', '/v1/workspaces', { name: 'Sibling', organizationId });
  const account = { name: 'Sibling', workspaceId, driver: 'sandbox' };
  const { id: accountId } = await api.ok('POST', '/v1/messenger-accounts', account);
  return { organizationId, workspaceId, accountId };
}
