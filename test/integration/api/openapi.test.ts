import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROBLEMS } from '../../../src/problem-table.ts';
import { methods } from '../../../workers/sandbox/methods.ts';
import { TestApi } from '../../support/api/api.ts';
import { exchange } from '../../support/http/raw-connection.ts';
import { countValues, find } from '../../support/http/references.ts';
import {
  EXAMPLE_PARAMS,
  type ExampleParams,
  makeExampleParams,
  shapeOf,
} from '../../support/sandbox/example-params.ts';

const CALL_PATH = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';

const sentence = expect.stringMatching(/\w/);

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: ({ $ref: string } | { schema: { type: string } })[];
}

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
  const hidden = [
    '/',
    '/docs',
    '/console',
    '/assets/:version/*',
    '/openapi.json',
    '/openapi-shallow.json',
    '/asyncapi.json',
  ];
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
    expect(ok.oneOf[0].required).toEqual(['result', 'txid']);
    const body = post.requestBody.content['application/json'].schema;
    expect(body.required).toEqual(['params']);
    expect(body.properties.params.properties._).toEqual({ const: method });
  }
  const { post: general } = document.paths[`${CALL_PATH}/{method}`];
  const { params } = general.requestBody.content['application/json'].schema.properties;
  expect(params).toMatchObject({ type: 'object', additionalProperties: true });
});

test.each(['messages.sendMessage', '{method}'])('knows what ?validate=only answers to %s', (name) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...document });
  const pointer = `/paths/${`${CALL_PATH}/${name}`.replaceAll('/', '~1')}/post/responses/200/content/application~1json`;
  const fits = (answer: object) => ajv.validate({ $ref: `doc#${encodeURI(pointer)}/schema` }, answer);
  expect([{ valid: true }, { txid: 1 }, { valid: true, txid: 1 }].map(fits)).toEqual([true, false, false]);
});

test('tells of each error of a method where it is answered', () => {
  const { responses } = document.paths[`${CALL_PATH}/messages.sendMessage`].post;
  expect(responses[400].description).toContain('- `MESSAGE_TOO_LONG` ');
  expect(responses[429].description).toContain('- `SLOWMODE_WAIT` ');
  expect(responses[401]).toEqual({ $ref: '#/components/responses/CallFailed401' });
});

test('tells only of errors that have a page', async () => {
  const text = JSON.stringify([document.paths, document.components.responses]);
  const codes = new Set([...text.matchAll(/\\n- `([A-Za-z0-9_%]+)`/g)].map(([, code = '']) => code));
  expect(codes.size).toBeGreaterThan(50);
  const statuses = new Map<string, number>();
  for (const code of codes) {
    const { status } = await api.request('GET', `/problems/${encodeURIComponent(code)}`, undefined, {
      key: null,
    });
    statuses.set(code, status);
  }
  expect([...statuses].filter(([, status]) => status !== 200)).toEqual([]);
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

test('describes every operation, parameter and header, and groups them', () => {
  const tags = document.tags.map(({ name }: { name: string }) => name);
  const used = new Set<string>();
  for (const [path, verbs] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [verb, operation] of Object.entries(verbs)) {
      const { summary, description, parameters = [] } = operation;
      expect([path, verb, summary, description]).toEqual([path, verb, ...Array(2).fill(sentence)]);
      for (const parameter of parameters) {
        const whole = '$ref' in parameter ? find(document, parameter.$ref) : parameter;
        expect([path, verb, whole]).toEqual([path, verb, expect.objectContaining({ description: sentence })]);
        if (whole.schema.type === 'array') expect(whole.schema).not.toHaveProperty('anyOf');
      }
      for (const tag of operation.tags) used.add(tag);
    }
  }
  expect([...used].toSorted()).toEqual(tags.toSorted());
  for (const header of Object.values(document.components.headers))
    expect(header).toEqual(expect.objectContaining({ description: sentence }));
  expect(JSON.stringify(document).includes('Default Response')).toBe(false);
});

test('says how many items a page has', () => {
  const { parameters } = document.paths['/v1/workspaces'].get;
  const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
  expect(limit.schema).toEqual({
    ...{ type: 'integer', format: 'int32' },
    ...{ minimum: 1, maximum: 100, default: 20 },
  });
});

test('bounds what every request may carry, and says the size of every integer', () => {
  const unbound: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { type, maxLength, maxItems, format, enum: values, const: only } = value as Record<string, unknown>;
    const isOneOf = values !== undefined || only !== undefined;
    if (type === 'string' && maxLength === undefined && !isOneOf) unbound.push(path);
    if (type === 'array' && maxItems === undefined) unbound.push(path);
    if (type === 'integer' && format === undefined && !isOneOf) unbound.push(path);
    for (const [name, member] of Object.entries(value))
      if (name !== 'example') look(member, `${path}/${name}`);
  };
  look(document.components.parameters, 'parameters');
  for (const [path, verbs] of Object.entries<object>(document.paths))
    for (const { parameters, requestBody } of Object.values(verbs)) {
      look(parameters, path);
      look(requestBody, path);
    }
  expect(unbound).toEqual([]);
});

test('has headers that answers have', () => {
  const updates = document.paths['/v1/workspaces/{workspaceId}/updates'].get;
  expect(Object.keys(updates.responses[200].headers)).toContain('Stream-Next-Offset');
  expect(updates.parameters.map(({ name }: { name: string }) => name)).toContain('Last-Event-ID');
  const { responses } = document.paths['/v1/webhooks'].post;
  expect(Object.keys(responses[201].headers)).toEqual(expect.arrayContaining(['Location', 'RateLimit']));
  const tooMany = find(document, responses[429].$ref);
  expect(Object.keys(tooMany.headers)).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']));
  expect(document.webhooks.update.post.parameters).toHaveLength(3);
});

test('lists every code of a problem, and takes those of the messenger', () => {
  const { Problem, ProblemCode } = document.components.schemas;
  expect(ProblemCode.enum).toEqual(Object.keys(PROBLEMS));
  for (const code of ProblemCode.enum) expect(ProblemCode.description).toContain(`\`${code}\` (`);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...document });
  const fits = (code: string) =>
    ajv.validate({ $ref: 'doc#/components/schemas/Problem/properties/code' }, code);
  expect(Problem.required).toContain('code');
  expect(['rate_limited', 'PEER_ID_INVALID', '2FA_CONFIRM_WAIT'].map(fits)).toEqual([true, true, true]);
  expect(['rate_limit', ''].map(fits)).toEqual([false, false]);
});

test('has no two names that differ only in case, nor in signs', () => {
  const names = Object.values<object>(document.components).flatMap((part) => {
    const plain = Object.keys(part).map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
    return plain.filter((name, index) => plain.indexOf(name) !== index);
  });
  expect(names).toEqual([]);
});

test('has no more than two MB, and a shallow document beside it that comes to an end', async () => {
  expect(JSON.stringify(document).length).toBeLessThan(2_000_000);
  const { body: shallow } = await api.request('GET', '/openapi-shallow.json', undefined, { key: null });
  expect(await new Validator().validate(structuredClone(shallow))).toEqual({ valid: true });
  expect(Object.keys(shallow.paths)).toEqual(Object.keys(document.paths));
  expect(JSON.stringify(shallow).length).toBeLessThan(1_500_000);
  expect(countValues(shallow, shallow.paths)).toBeLessThan(600_000);
  expect(countValues(document, document.paths)).toBe(Number.POSITIVE_INFINITY);
});

test.each(['', '-shallow'])('refers only to what it holds: openapi%s.json', async (name) => {
  const { body } = await api.request('GET', `/openapi${name}.json`, undefined, { key: null });
  const references = new Set(JSON.stringify(body).match(/(?<="\$ref":")[^"]+/g));
  expect(references.size).toBeGreaterThan(400);
  expect([...references].filter((reference) => find(body, reference) === undefined)).toEqual([]);
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
