import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY_EXAMPLES } from '../../../src/api/openapi/body-examples.ts';
import { TestApi } from '../../support/api/api.ts';

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { example?: object }> };
}

let api: TestApi;
// biome-ignore lint/suspicious/noExplicitAny: the tests look into a document of any shape
let document: any;
beforeAll(async () => {
  api = await TestApi.start();
  document = (await api.request('GET', '/openapi.json')).body;
});
afterAll(() => api.stop());

function operations(): { verb: string; path: string; operation: Operation }[] {
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ verb, path, operation })),
  );
}

// That each of them succeeds is tested by e2e/http/document.
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
