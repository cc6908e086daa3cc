import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY_EXAMPLES } from '../../../src/api/openapi/body-examples.ts';
import { publishDriverMethods } from '../../../src/directory/driver-methods.ts';
import { TestApi } from '../../support/api/api.ts';
import { addressIn, aSeededTenant, type Tenant } from '../../support/api/tenant-routes.ts';

// What the document says is looked up in DNS.
const A_PUBLIC_URL = 'https://8.8.8.8/updates';

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { example?: object }> };
}

let api: TestApi;
let tenant: Tenant;
// biome-ignore lint/suspicious/noExplicitAny: the tests look into a document of any shape
let document: any;
beforeAll(async () => {
  api = await TestApi.start();
  await publishDriverMethods(api.redis, 'sandbox', ['messages.sendMessage']);
  document = (await api.request('GET', '/openapi.json')).body;
  tenant = await aSeededTenant(api);
});
afterAll(() => api.stop());

function operations(): { verb: string; path: string; operation: Operation }[] {
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ verb, path, operation })),
  );
}

function withOwnIds(example: object): object {
  const text = JSON.stringify(example)
    .replace(/org_\w{26}/g, tenant.organizationId)
    .replace(/ws_\w{26}/g, tenant.workspaceId)
    .replace(/acc_\w{26}/g, tenant.accountId)
    .replace('https://example.com/updates', A_PUBLIC_URL);
  return JSON.parse(text);
}

test('every body but those of calls has an example, which fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...document });
  const shown = new Set<string>();
  for (const { verb, path, operation } of operations()) {
    if (operation.requestBody === undefined || path.includes('/call/')) continue;
    for (const [type, { example }] of Object.entries(operation.requestBody.content)) {
      const pointer = ['paths', path, verb, 'requestBody', 'content', type, 'schema']
        .map((part) => encodeURIComponent(part.replaceAll('/', '~1')))
        .join('/');
      expect([path, verb, example]).toEqual([path, verb, BODY_EXAMPLES[operation.operationId]]);
      const isValid = ajv.validate({ $ref: `doc#/${pointer}` }, example);
      expect([path, verb, isValid, ajv.errors]).toEqual([path, verb, true, null]);
    }
    shown.add(operation.operationId);
  }
  expect([...shown].toSorted()).toEqual(Object.keys(BODY_EXAMPLES).toSorted());
});

test('each of them succeeds, with ids that exist', async () => {
  for (const { verb, path, operation } of operations()) {
    const example = BODY_EXAMPLES[operation.operationId];
    if (example === undefined) continue;
    const address = addressIn(tenant, path.replaceAll(/\{(\w+)\}/g, ':$1'));
    // Nothing runs calls here.
    const only = operation.operationId === 'callMany' ? '?validate=only' : '';
    const answer = await api.request(verb.toUpperCase(), `${address}${only}`, withOwnIds(example));
    expect([path, verb, Math.floor(answer.status / 100), answer.body.detail]).toEqual([
      path,
      verb,
      2,
      undefined,
    ]);
    if (only !== '') expect(answer.body.results[0].status).toBe(200);
  }
});
