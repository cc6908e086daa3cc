import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { methods } from '../../../workers/sandbox/methods.ts';
import { TestApi } from '../../support/api/api.ts';
import { exchange } from '../../support/http/raw-connection.ts';
import {
  EXAMPLE_PARAMS,
  type ExampleParams,
  makeExampleParams,
  shapeOf,
} from '../../support/sandbox/example-params.ts';

const CALL_PATH = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';

let api: TestApi;
// biome-ignore lint/suspicious/noExplicitAny: the tests look into a document of any shape
let document: any;
beforeAll(async () => {
  api = await TestApi.start({ PUBLIC_URL: 'https://gateway.example/beta/' });
  document = (await api.request('GET', '/openapi.json', undefined, { key: null })).body;
});
afterAll(() => api.stop());

test('is valid OpenAPI 3.1 of a beta with bearerAuth, for everyone', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: expect.stringContaining('beta'), version },
    servers: [{ url: 'https://gateway.example/beta' }],
    security: [{ bearerAuth: [] }],
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    },
  });
  expect(version).toMatch(/^0\.\d+\.\d+-beta$/);
});

test('names every route, and nothing that is not there', () => {
  const { paths } = document;
  const hidden = ['/', '/docs', '/openapi.json', '/asyncapi.json'];
  for (const { method, path } of api.routes.filter(
    ({ method, path }) => method !== 'HEAD' && !hidden.includes(path),
  )) {
    const documented = paths[path.replace(/:([A-Za-z]+)/g, '{$1}')];
    expect([path, Object.keys(documented ?? {})]).toEqual([
      path,
      expect.arrayContaining([method.toLowerCase()]),
    ]);
  }
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((verbs) =>
    Object.values(verbs).map(({ operationId }) => operationId),
  );
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
});

test('describes every executed method and no other, and all through the general path', () => {
  const described = Object.keys(document.paths)
    .filter((path) => path.startsWith(`${CALL_PATH}/`))
    .map((path) => path.slice(CALL_PATH.length + 1));
  expect(described.toSorted()).toEqual([...Object.keys(methods), '{method}'].toSorted());
  for (const method of Object.keys(methods)) {
    const { post } = document.paths[`${CALL_PATH}/${method}`];
    const ok = post.responses[200].content['application/json'].schema;
    expect(ok.required).toEqual(['result', 'txid']);
    const body = post.requestBody.content['application/json'].schema;
    expect(body.required).toEqual(['params']);
    expect(body.properties.params.properties._).toEqual({ const: method });
  }
  const { post: general } = document.paths[`${CALL_PATH}/{method}`];
  const { params } = general.requestBody.content['application/json'].schema.properties;
  expect(params).toMatchObject({ type: 'object', additionalProperties: true });
});

test('tells of each error of a method where it is answered', () => {
  const { responses } = document.paths[`${CALL_PATH}/messages.sendMessage`].post;
  expect(responses[400].description).toContain('- `MESSAGE_TOO_LONG` ');
  expect(responses[429].description).toContain('- `SLOWMODE_WAIT` ');
  expect(responses[401]).toEqual({ $ref: '#/components/responses/CallFailed401' });
});

test('has an example of each method that fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...document });
  let count = 0;
  for (const method of Object.keys(methods)) {
    const pointer = `/paths/${`${CALL_PATH}/${method}`.replaceAll('/', '~1')}/post/requestBody/content/application~1json`;
    const { example } = document.paths[`${CALL_PATH}/${method}`].post.requestBody.content['application/json'];
    if (example === undefined) continue;
    const isValid = ajv.validate({ $ref: `doc#${encodeURI(pointer)}/schema` }, example);
    expect([method, isValid, ajv.errors]).toEqual([method, true, null]);
    count += 1;
  }
  expect(count).toBeGreaterThan(80);
});

test('has the examples that the driver gives now; npm run docs writes them anew', async () => {
  const written: ExampleParams = JSON.parse(readFileSync(EXAMPLE_PARAMS, 'utf8'));
  expect(shapeOf(written)).toEqual(shapeOf(await makeExampleParams()));
});

test('refers only to what it holds', () => {
  const references = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
  const missing = [...references].filter(
    (reference) =>
      reference
        .slice('#/'.length)
        .split('/')
        .reduce((found, name) => found?.[name], document) === undefined,
  );
  expect(references.size).toBeGreaterThan(1_000);
  expect(missing).toEqual([]);
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['identity', (body: Buffer) => body],
] as const)('is sent in %s, with an ETag of its own', async (encoding, decode) => {
  const ask = (headers: string) =>
    exchange(
      api.url,
      `GET /openapi.json HTTP/1.1\r\nhost: x\r\naccept-encoding: ${encoding}\r\n${headers}\r\n`,
    );
  const [answer] = await ask('');
  expect(answer?.headers).toMatchObject({ vary: 'Accept-Encoding', etag: expect.any(String) });
  expect(answer?.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
  const body = decode(Buffer.from(answer?.body ?? '', 'latin1'));
  expect(JSON.parse(body.toString())).toEqual(document);
  const [again] = await ask(`if-none-match: ${answer?.headers.etag}\r\n`);
  expect(again?.status).toBe(304);
});
