import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDriverMethods } from '../../../src/directory/driver-methods.ts';
import { TestApi } from '../../support/api/api.ts';

let api: TestApi;
/** What stands for a place in the paths and bodies below. */
let places: Record<string, string>;

beforeAll(async () => {
  api = await TestApi.start();
  const { organizationId, workspaceId, accountId } = await api.aTenant();
  places = { ORGANIZATION: organizationId, WORKSPACE: workspaceId, ACCOUNT: accountId };
  places.READER = await api.aKey({ workspaceId }, ['calls:read']);
  const url = 'https://8.8.8.8/hook';
  places.WEBHOOK = (await api.ok('POST', '/v1/webhooks', { workspaceId, url })).id;
  await publishDriverMethods(api.redis, 'sandbox', []);
});
afterAll(() => api.stop());

interface Mistake {
  verb: string;
  path: string;
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

const CALL = '/workspaces/WORKSPACE/messenger-accounts/ACCOUNT/call';
const UPDATES = '/v1/workspaces/WORKSPACE/updates';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const get = (path: string, more = {}): Mistake => ({ verb: 'GET', path, ...more });
const post = (path: string, body?: unknown, more = {}): Mistake => ({ verb: 'POST', path, body, ...more });
const call = (method: string, body?: unknown) => post(`${CALL}/${method}`, body);
const bulk = (one: object) => post('/workspaces/WORKSPACE/calls', { calls: [one] });

/** What newcomers do wrong, and the next step that the answer names. */
const MISTAKES: [what: string, mistake: Mistake, status: number, code: string, nextStep: string][] = [
  [
    'a method misspelt',
    call('messages.sendMesage', { params: {} }),
    404,
    'unknown_method',
    '`messages.sendMessage`?',
  ],
  [
    'a method without its namespace',
    call('sendMessage', { params: {} }),
    404,
    'unknown_method',
    '`messages.sendMessage`?',
  ],
  [
    'a method in another case',
    call('Messages.SendMessage', { params: {} }),
    404,
    'unknown_method',
    '`messages.sendMessage`?',
  ],
  ['a method like no other', call('foo.bar', { params: {} }), 404, 'unknown_method', 'GET /v1/methods'],
  ['no params', call('help.getSupport', {}), 400, 'invalid_body', '`params` is missing'],
  [
    'fields beside params',
    call('messages.sendMessage', { message: 'x' }),
    400,
    'invalid_body',
    '`params` is missing',
  ],
  ['no body for a call', call('help.getSupport'), 400, 'invalid_body', 'an object with the member `params`'],
  [
    'a field misspelt',
    call('messages.readMessageContents', { params: { id: [1], ids: [2] } }),
    400,
    'invalid_params',
    'did you mean `id`?',
  ],
  [
    'a field left out',
    call('messages.sendMessage', { params: { peer: { _: 'inputPeerSelf' } } }),
    400,
    'invalid_params',
    'GET /v1/methods/messages.sendMessage',
  ],
  [
    'a field in snake case',
    call('payments.getResaleStarGifts', {
      params: { giftId: '1', offset: '', limit: 1, sort_by_price: true },
    }),
    400,
    'invalid_params',
    'did you mean `sortByPrice`?',
  ],
  [
    'a call beneath /v1',
    post(`/v1${CALL}/help.getSupport`, { params: {} }),
    404,
    'not_found',
    'did you mean /workspaces/{workspaceId}/messenger-accounts/{accountId}/call/{method}?',
  ],
  [
    'updates without /v1',
    get('/workspaces/WORKSPACE/updates'),
    404,
    'not_found',
    'did you mean /v1/workspaces/{workspaceId}/updates?',
  ],
  ['an address that is none', get('/v2/calls'), 404, 'not_found', '/openapi.json'],
  [
    'the wrong verb',
    { verb: 'DELETE', path: '/v1/workspaces' },
    405,
    'method_not_allowed',
    'GET, HEAD, OPTIONS, POST',
  ],
  ['broken JSON', call('help.getSupport', '{\n  "params": {},\n}'), 400, 'invalid_json', 'line 3, column 1'],
  [
    'a form',
    post('/v1/organizations', 'name=x', { headers: FORM }),
    415,
    'unsupported_media_type',
    'application/json',
  ],
  ['no body for a record', post('/v1/organizations'), 400, 'invalid_body', 'send a JSON object'],
  [
    'a member misspelt',
    post('/v1/organizations', { name: 'x', titel: 'y' }),
    400,
    'invalid_body',
    'known are `name`',
  ],
  [
    'a driver that nobody serves',
    post('/v1/messenger-accounts', { name: 'x', workspaceId: 'WORKSPACE', driver: 'sandbx' }),
    400,
    'invalid_body',
    'workers serve: sandbox',
  ],
  [
    'a scope that is none',
    post('/v1/api-keys', { name: 'x', workspaceId: 'WORKSPACE', scopes: ['call'] }),
    400,
    'invalid_body',
    '"calls:write", "calls:read"',
  ],
  [
    'two names of an account',
    bulk({ accountId: 'a', messengerAccountId: 'a', method: 'x', params: {} }),
    200,
    'invalid_body',
    'leave one out',
  ],
  [
    'a list parameter misspelt',
    get('/v1/organizations?limt=5'),
    400,
    'invalid_query',
    'known are `limit`, `startingAfter`, `endingBefore`',
  ],
  [
    'a page size that is none',
    get('/v1/organizations?limit=1e1'),
    400,
    'invalid_query',
    'from 1 to 100 in digits',
  ],
  [
    "a cursor of one's own",
    get('/v1/organizations?startingAfter=5'),
    400,
    'invalid_cursor',
    '`cursors.next`',
  ],
  [
    'both cursors',
    get('/v1/organizations?startingAfter=a&endingBefore=b'),
    400,
    'conflicting_parameters',
    'not both',
  ],
  [
    'a kind without Raw',
    get(`${UPDATES}?kind=updateNewMessage`),
    400,
    'invalid_query',
    '`RawUpdateNewMessage`',
  ],
  [
    'a check of a call misspelt',
    post(`${CALL}/help.getSupport?validte=only`, { params: {} }),
    400,
    'invalid_query',
    'allowed is `validate`',
  ],
  [
    'a check of a bulk as a list',
    post('/workspaces/WORKSPACE/calls?validate[]=only', { calls: [] }),
    400,
    'invalid_query',
    'allowed is `validate`',
  ],
  ['a comma too many', get(`${UPDATES}?kind=RawUpdateNewMessage,`), 400, 'invalid_query', 'empty name'],
  ['a kind that is left out', get(`${UPDATES}?offset=-1&live=sse&kind=`), 400, 'invalid_query', 'empty name'],
  [
    'the same twice for updates',
    get(`${UPDATES}?offset=-1&live=sse&live=sse`),
    400,
    'invalid_query',
    'needed, once',
  ],
  [
    'the same twice for methods',
    get('/v1/methods?executed=true&executed=true'),
    400,
    'invalid_query',
    'needed, once',
  ],
  [
    'a parameter of updates misspelt',
    get(`${UPDATES}?kinds=RawUpdateNewMessage`),
    400,
    'invalid_query',
    'did you mean `kind`?',
  ],
  [
    'accountId for updates',
    get(`${UPDATES}?accountId=ACCOUNT`),
    400,
    'invalid_query',
    'did you mean `messengerAccountId`?',
  ],
  ['a stream from nowhere', get(`${UPDATES}?live=sse`), 400, 'invalid_offset', '-1 is the beginning'],
  [
    'no key',
    get('/v1/organizations', { key: null }),
    401,
    'unauthorized',
    '`Authorization: Bearer <API key>`',
  ],
  ['a key that is none', get('/v1/organizations', { key: 'sb_x' }), 401, 'unauthorized', 'send another one'],
  [
    'a key without the scope',
    get('/v1/workspaces', { key: 'READER' }),
    403,
    'forbidden',
    'the scope workspaces:read',
  ],
  [
    'a key that must be the root key',
    post('/v1/organizations', { name: 'x' }, { key: 'READER' }),
    403,
    'forbidden',
    'root key',
  ],
  [
    'a delete with things beneath',
    { verb: 'DELETE', path: '/v1/organizations/ORGANIZATION' },
    409,
    'not_empty',
    '?cascade=true',
  ],
  [
    'an account by the short name',
    get('/v1/accounts'),
    404,
    'not_found',
    'did you mean /v1/messenger-accounts?',
  ],
  ['the keys by the short name', get('/v1/keys'), 404, 'not_found', 'did you mean /v1/api-keys?'],
  ['British spelling', get('/v1/organisations'), 404, 'not_found', 'did you mean /v1/organizations?'],
  ...(
    [
      ['/metric', '/metrics'],
      ['/doc', '/docs'],
      ['/ready', '/readyz'],
      ['/openapi', '/openapi.json'],
      ['/problem', '/problems'],
      ['/v1/call/help.getSupport', '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call/{method}'],
      ['/v1/workspaces/WORKSPACE/update', '/v1/workspaces/{workspaceId}/updates'],
      ['/v1/webhooks/x/delivery', '/v1/webhooks/{id}/deliveries'],
      ['/v1/workspaces/WORKSPACE/messenger-accounts', '/v1/messenger-accounts'],
    ] as const
  ).map(([path, meant]): (typeof MISTAKES)[number] => [
    path,
    get(path),
    404,
    'not_found',
    `did you mean ${meant}?`,
  ]),
  ...['/health', '/v1'].map((path): (typeof MISTAKES)[number] => [
    path,
    get(path),
    404,
    'not_found',
    'this address: /openapi.json lists the addresses',
  ]),
  ['something before /v1', get('/api/v1/workspaces'), 404, 'not_found', 'did you mean /v1/workspaces?'],
  [
    'calls instead of call',
    post('/workspaces/WORKSPACE/messenger-accounts/ACCOUNT/calls/help.getSupport', { params: {} }),
    404,
    'not_found',
    'did you mean /workspaces/{workspaceId}/messenger-accounts/{accountId}/call/{method}?',
  ],
  [
    'accounts in the path of a call',
    post('/workspaces/WORKSPACE/accounts/ACCOUNT/call/help.getSupport', { params: {} }),
    404,
    'not_found',
    '/messenger-accounts/{accountId}/call/{method}?',
  ],
  [
    'the method in the body',
    post(CALL, { method: 'help.getSupport', params: {} }),
    404,
    'not_found',
    '/call/{method}?',
  ],
  [
    'a slash in the method',
    post(`${CALL}/help/getSupport`, { params: {} }),
    404,
    'not_found',
    '/call/{method}?',
  ],
  [
    'the id of something else',
    get('/v1/workspaces/ORGANIZATION'),
    404,
    'not_found',
    'begins with ws_, and GET /v1/workspaces lists',
  ],
  [
    'the id of something else for a call',
    get('/v1/calls/ORGANIZATION'),
    404,
    'not_found',
    'begins with call_, and GET /v1/calls lists',
  ],
  [
    'the id of something else for a delivery',
    get('/v1/webhooks/WEBHOOK/deliveries/ORGANIZATION'),
    404,
    'not_found',
    'begins with dlv_, and GET /v1/webhooks/{id}/deliveries lists',
  ],
  [
    'another id for the owner',
    post('/v1/workspaces', { name: 'x', organizationId: 'WORKSPACE' }),
    404,
    'not_found',
    'begins with org_, and GET /v1/organizations lists',
  ],
  [
    'ids that are placeholders',
    post('/workspaces/{workspaceId}/messenger-accounts/{accountId}/call/help.getSupport', { params: {} }),
    404,
    'not_found',
    'begins with acc_, and GET /v1/messenger-accounts lists',
  ],
  [
    'an account of another workspace',
    post('/workspaces/ws_other/messenger-accounts/ACCOUNT/call/help.getSupport', { params: {} }),
    404,
    'not_found',
    'It has to belong to the workspace of the path.',
  ],
  [
    'a key of an organization and of a workspace',
    post('/v1/api-keys', {
      name: 'x',
      scopes: ['calls:write'],
      organizationId: 'ORGANIZATION',
      workspaceId: 'WORKSPACE',
    }),
    400,
    'invalid_body',
    'either organizationId or workspaceId, not both',
  ],
  [
    'a field that is no other',
    call('messages.readMessageContents', { params: { id: [1], chatty: 2 } }),
    400,
    'invalid_params',
    'known are `id`',
  ],
  [
    'a field of the bot API',
    call('messages.sendMessage', { params: { peer: { _: 'inputPeerSelf' }, message: 'x', chat_id: 2 } }),
    400,
    'invalid_params',
    'GET /v1/methods/{name}',
  ],
  [
    'a peer by its name',
    call('messages.sendMessage', { params: { peer: '@bob', message: 'x' } }),
    400,
    'invalid_params',
    'InputPeer is one of',
  ],
  [
    'a number for a long',
    call('messages.sendMessage', {
      params: { peer: { _: 'inputPeerUser', userId: 1, accessHash: 0 }, message: 'x' },
    }),
    400,
    'invalid_params',
    'send "0"',
  ],
  [
    'a time that is over',
    call('help.getSupport', { params: {}, scheduleAt: '2020-01-01T00:00:00Z' }),
    400,
    'invalid_body',
    'send a later one',
  ],
  [
    'a kind misspelt',
    get(`${UPDATES}?kind=RawUpdateNewMesage`),
    400,
    'invalid_query',
    'did you mean `RawUpdateNewMessage`?',
  ],
  [
    'kinds of a webhook misspelt',
    post('/v1/webhooks', { workspaceId: 'WORKSPACE', url: 'https://8.8.8.8/x', kinds: ['newMessage'] }),
    400,
    'invalid_body',
    'such as `RawUpdateNewMessage`',
  ],
  ['an offset that is a number', get(`${UPDATES}?offset=0`), 400, 'invalid_offset', '-1 for the beginning'],
  [
    'an address without https',
    post('/v1/webhooks', { workspaceId: 'WORKSPACE', url: 'example.com/hook' }),
    400,
    'invalid_body',
    'https://example.com/updates',
  ],
  [
    'calls of a method misspelt',
    get('/v1/calls?method=messages.sendMesage'),
    400,
    'invalid_query',
    'did you mean `messages.sendMessage`?',
  ],
  [
    'a fault that is no error',
    {
      verb: 'PUT',
      path: '/v1/messenger-accounts/ACCOUNT/sandbox/faults',
      body: { faults: [{ method: '*', error: 'FLOOD_WAIT' }] },
    },
    400,
    'invalid_body',
    'FLOOD_WAIT_5',
  ],
  [
    'a key with a word for a time',
    post('/v1/api-keys', { name: 'x', workspaceId: 'WORKSPACE', scopes: ['calls:read'], expiresAt: '30d' }),
    400,
    'invalid_body',
    'such as 2030-01-31T12:00:00Z',
  ],
  [
    'calls in an array',
    post('/workspaces/WORKSPACE/calls', []),
    400,
    'invalid_body',
    'an object with the member `calls`',
  ],
  [
    'an Idempotency-Key for a record',
    post('/v1/organizations', { name: 'x' }, { headers: { 'idempotency-key': 'x' } }),
    400,
    'invalid_header',
    'Leave Idempotency-Key out',
  ],
];

test.each(MISTAKES)('%s: the answer names the next step', async (_, mistake, status, code, nextStep) => {
  const { verb, path, body, key, headers = {} } = placed(mistake);
  const answer = await api.request(verb, path, body, { ...(key === undefined ? {} : { key }), headers });
  expect(answer.status).toBe(status);
  const problem = answer.body.results?.[0].body ?? answer.body;
  expect(problem).toMatchObject({ code, type: `/problems/${code}`, detail: expect.any(String) });
  expect(JSON.stringify([problem.detail, problem.errors]).replaceAll('\\"', '"')).toContain(nextStep);
  expect(JSON.stringify(problem)).not.toMatch(/Invalid input|Too (small|big)|received|undefined|NaN/);
});

describe('what looks like a mistake and is none', () => {
  test.each([undefined, '', '{}'])('a body %j where none is needed', async (body) => {
    const { id } = await api.ok('POST', '/v1/webhooks', {
      workspaceId: places.WORKSPACE,
      url: 'https://8.8.8.8/hook',
    });
    const headers = { 'content-type': 'application/json' };
    const rotated = await api.request('POST', `/v1/webhooks/${id}/rotate-secret`, body, { headers });
    expect(rotated.status).toBe(200);
    const deleted = await api.request('DELETE', `/v1/webhooks/${id}`, body, { headers });
    expect(deleted.status).toBe(204);
  });

  test('an empty form, as curl -d "" sends it', async () => {
    const path = `/v1/messenger-accounts/${places.ACCOUNT}/sandbox/reset`;
    expect((await api.request('POST', path, '', { headers: FORM })).status).toBe(204);
  });

  test.each(['json', 'application', ' '])('a media type %j without a body', async (type) => {
    const headers = { 'content-type': type };
    const path = `/v1/messenger-accounts/${places.ACCOUNT}/sandbox/reset`;
    expect((await api.request('POST', path, undefined, { headers })).status).toBe(204);
    const { id } = await api.ok('POST', '/v1/organizations', { name: 'Short-lived' });
    expect((await api.request('DELETE', `/v1/organizations/${id}`, undefined, { headers })).status).toBe(204);
  });

  test('messengerAccountId in a bulk', async () => {
    const one = { messengerAccountId: places.ACCOUNT, method: 'help.getSupport', params: {} };
    const path = `/workspaces/${places.WORKSPACE}/calls`;
    const headers = { prefer: 'respond-async' };
    const { results } = await api.ok('POST', path, { calls: [one] }, { headers });
    expect(results).toMatchObject([{ status: 202 }]);
  });
});

function placed(mistake: Mistake): Mistake {
  const text = JSON.stringify(mistake).replace(/[A-Z]{6,}/g, (name) => places[name] ?? name);
  return { ...JSON.parse(text), headers: mistake.headers };
}
