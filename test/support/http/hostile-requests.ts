import { METHODS } from 'node:http';
import fc from 'fast-check';

/** A request that no honest client sends, as it goes on the wire. */
export interface HostileRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** How the body's text becomes bytes; latin1 makes bytes that are no UTF-8. */
  encoding: 'utf8' | 'latin1';
}

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Parameter {
  in: string;
  name: string;
}

interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** What the tests read of an OpenAPI document. */
export interface OpenapiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** What an operation takes in its query. */
export function queryNames({ components }: OpenapiDocument, { parameters = [] }: Operation): string[] {
  return parameters
    .map((each) =>
      '$ref' in each ? (components.parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
    )
    .filter((each) => each.in === 'query')
    .map(({ name }) => name);
}

const SCHEMA_DEPTH = 5;
// `fetch` and proxies aside, whatever Node takes as a verb.
const VERBS = METHODS.filter((verb) => verb !== 'CONNECT');

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  'NaN',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\u0000',
  '\u0001',
  '\u00011\u0002',
  '\ud800',
  '\udfff',
  '\ud83d\ude00',
  '\u202e',
  '\ufeff',
  '\uffff',
  '../../etc/passwd',
  '%2e%2e%2f',
  '{ws_00000000000000000000000000}',
  '*',
  '?',
  "'; FLUSHALL",
  '\r\nSET a b\r\n',
  '<script>',
  '{{7*7}}',
  '999999999999999999999999',
  '1e308',
  '0x10',
  '9223372036854775808',
  '2026-13-45T99:99:99Z',
  'x'.repeat(300),
  'x'.repeat(20_000),
  'é'.repeat(5_000),
  'ws_01h455vb4pex5vsknk084sn02q',
  '====',
  '-'.repeat(2_000),
];
const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.5,
  100,
  101,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
];
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  '_',
  'name',
  'params',
  'toJSON',
  'then',
  'length',
  '',
  '\u0000',
  '0',
];
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'text/plain',
  'json',
  '',
  ';',
  'application/merge-patch+json',
  'multipart/form-data; boundary=x',
  'application/json, text/html',
  'application/x-www-form-urlencoded',
];

const anyText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const anyLeaf = fc.oneof(
  anyText,
  fc.constantFrom(...NUMBERS),
  fc.integer(),
  fc.constantFrom(null, true, false),
);
const anyName = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 10 }));

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyLeaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(anyName, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));

/** Texts of bodies that are JSON of a kind no serializer writes, or no JSON at all. */
const anyBodyText = fc.oneof(
  anyValue.map((value) => JSON.stringify(value)),
  fc.integer({ min: 1, max: 3_000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.integer({ min: 1, max: 3_000 }).map((depth) => `${'{"params":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.tuple(anyValue, anyValue).map(([a, b]) => `{"name":${JSON.stringify(a)},"name":${JSON.stringify(b)}}`),
  fc
    .tuple(anyValue, anyValue)
    .map(([a, b]) => `{"params":${JSON.stringify(a)},"params":${JSON.stringify(b)}}`),
  anyValue.map((value) => `{"__proto__":${JSON.stringify(value)},"constructor":{"prototype":{"name":"x"}}}`),
  anyValue.map((value) => JSON.stringify({ params: value })),
  fc.constantFrom(
    '{"a":"\\ud800"}',
    '{"name":1e999}',
    '{"name":-0}',
    `{"name":${'9'.repeat(5_000)}}`,
    '{"name":"\\u0000"}',
  ),
  fc.constantFrom(
    '',
    ' ',
    '{',
    '}',
    '[1,]',
    '{"a":1,}',
    'undefined',
    "{'a':1}",
    '\ufeff{}',
    '{}{}',
    '\u0000',
    '//',
    '"',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Requests to everything the document describes, with what a tenant has in the places where that is to be found. */
export function hostileRequests(
  document: OpenapiDocument,
  options: { keys: string[]; placeOf(path: string, parameter: string): string },
): fc.Arbitrary<HostileRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
  );
  const calls = operations.filter(({ path }) => path.includes('/call/'));
  const others = operations.filter((each) => !calls.includes(each));
  // Each method has an operation; they would leave little for the rest.
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constantFrom(...calls) },
      { weight: 2, arbitrary: fc.constantFrom(...others) },
    )
    .chain(({ path, verb, operation }) =>
      fc.record({
        method: fc.oneof({ weight: 9, arbitrary: fc.constant(verb) }, fc.constantFrom(...VERBS)),
        path: addresses(path, queryNames(document, operation), (parameter) =>
          options.placeOf(path, parameter),
        ),
        headers: headers(options.keys),
        body: bodies(document, path, operation),
        encoding: fc.constantFrom('utf8', 'utf8', 'utf8', 'latin1'),
      }),
    )
    .map(harmless);
}

// What would take the tenant away under the other requests goes to an address where there is nothing.
function harmless(request: HostileRequest): HostileRequest {
  if (request.method !== 'DELETE') return request;
  return { ...request, path: request.path.replace(/_[0-9a-z]{26}/g, '_01h455vb4pex5vsknk084sn02q') };
}

function addresses(
  path: string,
  inQuery: string[],
  placeOf: (parameter: string) => string,
): fc.Arbitrary<string> {
  const places = [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = '']) => name);
  const encoded = anyText.map((text) => encodeURIComponent(text.toWellFormed()));
  const odd = fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%ff',
    '%2f',
    '..',
    '.',
    '%2e%2e',
    '%c0%af',
    ';x=1',
    ':',
    '*',
    'a%0d%0ab:c',
  );
  const values = places.map((place) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant(placeOf(place)) }, encoded, odd),
  );
  const names = [...inQuery, 'limit', '__proto__', 'x[]', ''];
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.oneof(encoded, odd))
    .map(([name, value]) => `${name}=${value}`);
  // A live read is held open: that is what it is for.
  const query = fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => pairs.filter((each) => !each.startsWith('live')).join('&'));
  const wrapped = fc.constantFrom('', '', '', '', '/', '//', '/../', '?', '#', '/%00');
  return fc.tuple(fc.tuple(...values), query, wrapped).map(([filled, text, end]) => {
    const address = places.reduce(
      (so, place, at) => so.replace(`{${place}}`, () => filled[at] as string),
      path,
    );
    return `${address}${end}${text === '' ? '' : `?${text}`}`.slice(0, 15_000);
  });
}

function headers(keys: string[]): fc.Arbitrary<Record<string, string>> {
  const visible = anyText.map((text) =>
    text
      .replace(/[^\x20-\x7e\x80-\xff]/g, '')
      .slice(0, 2_000)
      .trim(),
  );
  const credentials = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...keys).map((key) => `Bearer ${key}`) },
    visible,
    visible.map((text) => `Bearer ${text}`),
    fc.constant('Basic eDp5'),
  );
  const type = fc.oneof(
    { weight: 8, arbitrary: fc.constant('application/json') },
    fc.constantFrom(...CONTENT_TYPES),
  );
  const others = fc.dictionary(
    fc.constantFrom(
      'idempotency-key',
      'prefer',
      'if-none-match',
      'if-match',
      'accept',
      'last-event-id',
      'origin',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-http-method-override',
      'content-encoding',
      'accept-encoding',
      'cookie',
      'range',
      'te',
      'via',
      'access-control-request-method',
      'traceparent',
      'forwarded',
      'host',
    ),
    visible,
    { maxKeys: 4 },
  );
  return fc.tuple(credentials, type, others).map(([authorization, contentType, rest]) => ({
    ...rest,
    authorization,
    'content-type': contentType,
    // A list of events goes on for as long as its reader wants.
    ...(/event-stream/.test(rest.accept ?? '') ? { accept: '*/*' } : {}),
  }));
}

function bodies(
  document: OpenapiDocument,
  path: string,
  { requestBody }: Operation,
): fc.Arbitrary<string | null> {
  // An ordered fault does what it says to the calls that follow.
  const schema = path.endsWith('/faults') ? undefined : Object.values(requestBody?.content ?? {})[0]?.schema;
  if (schema === undefined) return fc.option(anyBodyText, { freq: 3 });
  const nearly = nearlyOf(document, schema, SCHEMA_DEPTH).map((value) => JSON.stringify(value) ?? 'null');
  return fc.oneof({ weight: 3, arbitrary: nearly }, anyBodyText, fc.constant(null));
}

/** Values that mostly fit a schema, so that they come past the first check. */
function nearlyOf(document: OpenapiDocument, given: Schema, depth: number): fc.Arbitrary<unknown> {
  const schema = given.$ref ? (document.components.schemas[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given;
  return fc.oneof({ weight: 12, arbitrary: fitting(document, schema, depth) }, anyLeaf, anyValue);
}

function fitting(document: OpenapiDocument, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (depth === 0) return anyLeaf;
  if (choices && choices.length > 0) {
    return fc.constantFrom(...choices.slice(0, 12)).chain((choice) => nearlyOf(document, choice, depth - 1));
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type].flat();
  if (type === 'object' || schema.properties) {
    const members = Object.entries(schema.properties ?? {}).slice(0, 20);
    const shape = Object.fromEntries(
      members.map(([name, each]) => [name, nearlyOf(document, each, depth - 1)]),
    );
    return fc.record(shape, {
      requiredKeys: Object.keys(shape).filter((name) => name === '_' || name === 'params'),
    });
  }
  if (type === 'array') return fc.array(nearlyOf(document, schema.items ?? {}, depth - 1), { maxLength: 3 });
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer(), fc.constantFrom(...NUMBERS));
  if (type === 'boolean') return fc.boolean();
  if (type === 'string')
    return fc.oneof(anyText, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String));
  return anyValue;
}
