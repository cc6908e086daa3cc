import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { addressIn, aSeededTenant } from '../../support/api/tenant-routes.ts';

let api: TestApi;
let targets: { method: string; path: string; takesNone: boolean }[];

// What they do has no details; an empty object is as good as no body.
const BODILESS = /\/(replay|ping|resend|rotate-secret|reset|drain)$/;

beforeAll(async () => {
  api = await TestApi.start();
  const tenant = await aSeededTenant(api);
  targets = api.routes
    .filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
    .map(({ method, path }) => ({
      method,
      path: addressIn(tenant, path),
      takesNone: BODILESS.test(path) && path !== '/v1/calls/replay',
    }));
});
afterAll(() => api.stop());

function nested(depth: number, open: string, close: string): string {
  return open.repeat(depth) + close.repeat(depth);
}

const MALFORMED: [string, string | Uint8Array][] = [
  ['white space', ' \n '],
  ['half an object', '{"name":'],
  ['two values', '{} {}'],
  ['a trailing comma', '{"name":"x",}'],
  ['single quotes', "{'name':'x'}"],
  ['NaN', '{"name":NaN}'],
  ['a NUL byte', '{"name":"\u0000"}'],
  ['a bare NUL', '\u0000'],
  ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"name":"x"}', 'utf16le'))],
  ['an encoded half of a character', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['a deep array', nested(100_000, '[', ']')],
  ['a deep object', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['a deep unclosed array', '['.repeat(500_000)],
];

const MISSHAPEN: [string, string][] = [
  ['null', 'null'],
  ['a number', '7'],
  ['a text', '"text"'],
  ['true', 'true'],
  ['an array', '[]'],
  ['an empty object', '{}'],
  ['a big array', `[${'0,'.repeat(8_000)}0]`],
  [
    'many members',
    JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`m${at}`, at]))),
  ],
  ['__proto__', '{"__proto__":{"name":"x"}}'],
  ['constructor', '{"constructor":{"prototype":{"name":"x"}}}'],
  ['an array for params', '{"params":[]}'],
  ['null for params', '{"params":null}'],
  ['__proto__ in params', '{"params":{"__proto__":{"a":1}}}'],
  ['another _', '{"params":{"_":"messages.sendMessage"}}'],
  ['unknown params', '{"params":{"toString":1,"hasOwnProperty":2}}'],
  ['a number beyond 2^53', '{"params":{"limit":9007199254740993}}'],
  ['a number beyond doubles', '{"params":{"limit":1e999},"name":1e999}'],
  ['wrong types', '{"name":{"a":1},"scopes":{"0":"x"},"faults":"all"}'],
  ['NUL in a text', '{"name":"a\\u0000b"}'],
  ['half of a character', '{"name":"\\ud800"}'],
  ['some nesting', `{"params":${nested(100, '[', ']')}}`],
  ['wrong faults', '{"faults":[{"method":"__proto__","count":1,"error":"constructor"},null,{"count":-1}]}'],
];

describe('every route that takes a body', () => {
  test.each(MALFORMED)('refuses %s as invalid_json', async (_name, body) => {
    for (const { method, path } of targets) {
      const answer = await api.request(method, path, body);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 400, 'invalid_json']);
    }
  });

  test.each(MISSHAPEN)('refuses %s without failing', async (name, body) => {
    for (const { method, path, takesNone } of targets) {
      if (name === 'an empty object' && (method === 'PATCH' || takesNone)) continue;
      const answer = await api.request(method, path, body);
      const summary = [method, path, answer.status, answer.body.retryable];
      expect(summary).toEqual([method, path, 400, false]);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body.errors?.length ?? 1).toBeGreaterThan(0);
      for (const { pointer } of answer.body.errors ?? []) expect(pointer).toMatch(/^(\/|$)/);
    }
  });

  test('refuses two megabytes, and the answer arrives', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) });
    for (const { method, path } of targets) {
      const known = await api.request(method, path, body);
      expect([method, path, known.status, known.body.code]).toEqual([method, path, 413, 'body_too_large']);
      const chunked = await fetch(`${api.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${api.rootKey}`,
          'content-type': 'application/json',
        },
        body: new Blob([body]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect([method, path, chunked.status]).toEqual([method, path, 413]);
    }
  });

  test('refuses what is not declared as JSON, before reading it', async () => {
    const types = [
      'text/plain',
      'application/xml',
      'application/json; charset=latin1',
      'application/jsonx',
      'json',
      '*/*',
    ];
    for (const { method, path } of targets) {
      for (const type of types) {
        const answer = await api.request(method, path, '{"half', {
          headers: { 'content-type': type },
        });
        expect([path, type, answer.status, answer.body.code]).toEqual([
          path,
          type,
          415,
          'unsupported_media_type',
        ]);
      }
    }
  });

  test('takes JSON with a charset, in any case, and with a byte order mark', async () => {
    for (const type of ['application/json;charset=utf-8', 'Application/JSON; Charset="UTF-8"']) {
      const answer = await api.request('POST', '/v1/organizations', '\ufeff{"name":"x"}', {
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(201);
    }
  });
});

describe('addresses', () => {
  test.each([
    ['/v1/organizations/%zz', 400],
    ['/v1/organizations/%', 400],
    ['/v1/organizations/%00', 404],
    ['/v1/organizations/%ff', 400],
    ['/v1/organizations/..%2f..%2fetc', 404],
    ['/v1/organizations/__proto__', 404],
    ['/v1/organizations/org_01h455vb4pex5vsknk084sn02q', 404],
    ['/v1/organizations/org_01H455VB4PEX5VSKNK084SN02Q', 404],
    ['/v1/organizations/ws_01h455vb4pex5vsknk084sn02q', 404],
    ['/v1/constructor', 404],
    ['/v1', 404],
    ['/v1/', 404],
    ['/V1/organizations', 404],
    ['/v1/organizations/', 200],
    ['//v1///organizations', 200],
    ['/v1/organizations?', 200],
    ['/livez/', 200],
  ])('%s answers %i', async (path, status) => {
    const answer = await api.request('GET', path);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(answer.body.code).toBe(status === 400 ? 'bad_request' : 'not_found');
  });
});

test('an overlong id is one that does not exist', async () => {
  const path = `/v1/organizations/${'x'.repeat(10_000)}`;
  expect(await api.request('GET', path)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect((await api.request('GET', path, undefined, { key: null })).status).toBe(401);
});

describe('verbs', () => {
  test.each([
    ['POST', '/livez', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/organizations', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/v1/organizations/org_1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['PUT', '/v1/api-keys/key_1/', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['GET', '/workspaces/a/messenger-accounts/b/call/c', 'OPTIONS, POST'],
    ['PROPFIND', '/v1/workspaces', 'GET, HEAD, OPTIONS, POST'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const answer = await api.request(method, path, method === 'PUT' ? '{"half' : undefined);
    expect(answer).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test('HEAD answers wherever GET does', async () => {
    for (const { path } of api.routes.filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
      const [get, head] = [await api.request('GET', path), await api.request('HEAD', path)];
      expect([path, head.status, head.body]).toEqual([path, get.status, '']);
    }
  });
});

/** What the server says to bytes that no HTTP client would send. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
    socket.end(text);
  });
}

describe('on the wire', () => {
  test.each([
    ['no HTTP at all', 'GARBAGE\r\n\r\n', 400],
    ['a bad version', 'GET / HTTP/9.9\r\n\r\n', 400],
    ['a bad header', 'GET /livez HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/organizations HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /v1/organizations HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['huge headers', `GET /livez HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['a huge address', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
  ])('%s gets a problem document', async (_name, text, status) => {
    const answer = await exchange(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ status });
  });

  test('a body that ends too early leaves the server well', async () => {
    await exchange(
      `POST /v1/organizations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.rootKey}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":`,
    );
    expect((await api.request('GET', '/livez')).status).toBe(200);
  });
});
