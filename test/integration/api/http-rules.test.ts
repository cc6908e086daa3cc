import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

let api: TestApi;
let call: string;
let tenant: { organizationId: string; workspaceId: string; accountId: string };

beforeAll(async () => {
  api = await TestApi.start({ CORS_ORIGINS: 'https://app.example' });
  tenant = await api.aTenant();
  call = `/workspaces/${tenant.workspaceId}/messenger-accounts/${tenant.accountId}/call/help.getSupport`;
});
afterAll(() => api.stop());

test.each([
  ['/v1/workspaces', 'GET, HEAD, OPTIONS, POST'],
  ['/livez', 'GET, HEAD, OPTIONS'],
  ['/workspaces/a/messenger-accounts/b/call/c', 'OPTIONS, POST'],
])('OPTIONS of %s says what is allowed, to everyone', async (path, allow) => {
  const answer = await api.request('OPTIONS', path, undefined, { key: null });
  expect([answer.status, answer.body, answer.headers.get('allow')]).toEqual([204, '', allow]);
});

test('OPTIONS of an unknown address is not found', async () => {
  expect(await api.request('OPTIONS', '/v1/nothing')).toMatchObject({ status: 404 });
});

test.each(['', '/beta'])(
  'a whole address, as to a proxy, is that of the path %s/v1/organizations',
  async (base) => {
    const gateway = base === '' ? api : await TestApi.start({ PUBLIC_URL: `https://gateway.example${base}` });
    const connection = await RawConnection.open(gateway.url);
    const head = `HTTP/1.1\r\nHost: gateway.example\r\nAuthorization: Bearer ${gateway.rootKey}\r\n\r\n`;
    const address = `http://gateway.example${base}/v1/organizations`;
    connection.send(['GET', 'OPTIONS', 'DELETE'].map((verb) => `${verb} ${address} ${head}`).join(''));
    const [list, options, deletion] = await connection.answers(3);
    connection.socket.destroy();
    if (gateway !== api) await gateway.stop();
    expect(list).toMatchObject({ status: 200, headers: { link: `<${base}/v1/organizations>; rel="first"` } });
    const allow = 'GET, HEAD, OPTIONS, POST';
    expect(options).toMatchObject({ status: 204, headers: { allow } });
    expect(deletion).toMatchObject({ status: 405, headers: { allow } });
  },
);

describe('Expect', () => {
  const ask = async (expectation: string, version = '1.1') => {
    const connection = await RawConnection.open(api.url);
    connection.send(`GET /livez HTTP/${version}\r\nHost: x\r\nExpect: ${expectation}\r\n\r\n`);
    const [answer] = await connection.answers(1);
    connection.socket.destroy();
    return answer;
  };

  test('that is unknown is refused with a problem', async () => {
    const answer = await ask('tea');
    expect(answer?.status).toBe(417);
    expect(answer?.headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'expectation_failed', status: 417 });
  });

  test('of 100-continue, and any from HTTP/1.0, is not', async () => {
    expect((await ask('100-Continue'))?.status).toBe(200);
    expect((await ask('tea', '1.0'))?.status).toBe(200);
  });
});

describe('CONNECT', () => {
  const tunnel = 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n';
  const read = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

  test.each([
    ['alone', tunnel, [405]],
    ['with the path of a route', tunnel.replace('other.example:443 ', '/livez '), [405]],
    ['with a body', tunnel.replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n{}'), [405]],
    ['behind other requests', read.repeat(2) + tunnel, [200, 200, 405]],
    ['before other requests, which are not read', tunnel + read.repeat(50), [405]],
  ])('%s is refused with a problem, and the connection closed', async (_name, text, statuses) => {
    const connection = await RawConnection.open(api.url);
    const other = await RawConnection.open(api.url);
    connection.send(text);
    // Its parser must not be that of another connection by now.
    other.send(read);
    const answers = await connection.untilOver(3_000);
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers.at(-1)).toMatchObject({ headers: { connection: 'close', allow: '' } });
    expect(JSON.parse(answers.at(-1)?.body ?? '')).toMatchObject({ code: 'method_not_allowed', status: 405 });
    expect((await other.answers(1)).map(({ status }) => status)).toEqual([200]);
    other.close();
  });

  test('does not hold the connection of a client that neither reads nor closes', async () => {
    const connection = await RawConnection.open(api.url);
    connection.send(tunnel);
    await eventually(() => connection.isOver || undefined);
    for (let sent = 0; sent < 50 && !connection.closed; sent += 1) {
      connection.send(read);
      await sleep(50);
    }
    expect(connection.closed).toBe(true);
  });
});

test('an Upgrade is not made, and the request answered as it is', async () => {
  const connection = await RawConnection.open(api.url);
  const read = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  connection.send(read.repeat(2));
  expect((await connection.answers(2)).map(({ status }) => status)).toEqual([200, 200]);
  connection.close();
});

test('the documents and pages of updates know several, weak and all entity tags', async () => {
  for (const path of ['/openapi.json', `/v1/workspaces/${tenant.workspaceId}/updates`]) {
    const { headers } = await api.request('GET', path);
    const etag = headers.get('etag');
    for (const tags of [etag, `W/${etag}`, `"x", W/${etag}`, '*']) {
      const again = await api.request('GET', path, undefined, { headers: { 'if-none-match': tags ?? '' } });
      expect([path, tags, again.status, again.body]).toEqual([path, tags, 304, '']);
    }
    const other = await api.request('GET', path, undefined, { headers: { 'if-none-match': '"x", W/"y"' } });
    expect(other.status).toBe(200);
  }
});

test('updates vary by what is accepted', async () => {
  const path = `/v1/workspaces/${tenant.workspaceId}/updates`;
  const answer = await api.request('GET', path, undefined, {
    headers: { accept: 'application/json, text/event-stream;q=0.5', origin: 'https://app.example' },
  });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('vary')).toBe('Origin, Accept');
  expect(answer.headers.get('access-control-expose-headers')).toContain('Stream-Earliest-Offset');
});

test('a preflight of an allowed page is answered, and names the version', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const answer = await api.request('OPTIONS', '/v1/organizations', undefined, { key: null, headers });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, headers.origin]);
  expect(answer.headers.get('server')).toMatch(/^switchboard\//);
});

test('401 and 403 say which error it is', async () => {
  const challenge = async (key: string | null, headers = {}) => {
    const answer = await api.request('GET', '/v1/organizations', undefined, { key, headers });
    return [answer.status, answer.headers.get('www-authenticate')];
  };
  const realm = 'Bearer realm="Switchboard"';
  expect(await challenge(null)).toEqual([401, realm]);
  expect(await challenge(null, { authorization: 'Basic eDp5' })).toEqual([401, realm]);
  expect(await challenge('nonsense')).toEqual([401, `${realm}, error="invalid_token"`]);
  const key = await api.aKey({ workspaceId: tenant.workspaceId }, ['calls:read']);
  const lacking = `${realm}, error="insufficient_scope"`;
  expect(await challenge(key)).toEqual([403, `${lacking}, scope="organizations:read"`]);
  const created = await api.request('POST', '/v1/organizations', { name: 'x' }, { key });
  expect([created.status, created.headers.get('www-authenticate')]).toEqual([403, lacking]);
});

describe('the type of a problem', () => {
  test('leads to its entry in the catalogue, as JSON or as a page', async () => {
    const { body } = await api.request('GET', '/v1/nothing');
    const { detail, ...same } = body;
    const entry = await api.request('GET', body.type, undefined, { key: null });
    expect(entry.body).toMatchObject(same);
    const page = await api.request('GET', body.type, undefined, {
      headers: { accept: 'text/html,*/*;q=0.8' },
    });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).toContain('<code>not_found</code>');
    expect(detail).toContain('/openapi.json');
  });

  test('leads there for errors of messengers too', async () => {
    for (const [code, status] of [
      ['PEER_ID_INVALID', 400],
      ['FLOOD_WAIT', 429],
      ['FLOOD_WAIT_5', 429],
      ['CHAT_FORWARDS_RESTRICTED', 400],
    ]) {
      expect(await api.ok('GET', `/problems/${code}`)).toMatchObject({ status, detail: expect.any(String) });
    }
    for (const code of ['NO_SUCH', '__proto__', 'X'.repeat(1_000)])
      expect(await api.request('GET', `/problems/${code}`)).toMatchObject({ status: 404 });
  });

  test('is in the list of all, with a next step for each', async () => {
    const all = await api.ok('GET', '/problems');
    expect(all.length).toBeGreaterThan(40);
    for (const { type, code, detail } of all) {
      expect([code, type, detail.length > 10]).toEqual([code, `/problems/${code}`, true]);
    }
  });
});

test('an Idempotency-Key is refused wherever it is not kept', async () => {
  const posts = api.routes.filter(({ method, path }) => method === 'POST' && !path.includes('/call/'));
  expect(posts.length).toBeGreaterThan(10);
  const headers = { 'idempotency-key': 'k' };
  for (const { path } of posts) {
    const answer = await api.request('POST', path, {}, { headers });
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'invalid_header']);
  }
  const updates = `/v1/workspaces/${tenant.workspaceId}/updates`;
  expect((await api.request('GET', updates, undefined, { headers })).status).toBe(200);
});

test('a repeated async call is named as the first one was, alone and in a bulk', async () => {
  const headers = { prefer: 'respond-async', 'idempotency-key': 'one' };
  const first = await api.request('POST', call, { params: {} }, { headers });
  const again = await api.request('POST', call, { params: {} }, { headers });
  expect(first.headers.get('call-id')).toBe(first.body.id);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.body.id, again.headers.get('call-id')]).toEqual([first.body.id, first.body.id]);
  const { accountId } = tenant;
  const calls = [{ accountId, method: 'help.getSupport', params: {}, idempotencyKey: 'one' }];
  const bulk = `/workspaces/${tenant.workspaceId}/calls`;
  const { results } = await api.ok('POST', bulk, { calls }, { headers: { prefer: 'respond-async' } });
  expect(results).toMatchObject([{ callId: first.body.id, status: 202, body: { id: first.body.id } }]);
});

test('what Prefer asks for and is not understood is ignored', async () => {
  const headers = { prefer: 'respond-async, wait=soon, "', 'idempotency-key': 'two' };
  const answer = await api.request('POST', call, { params: {} }, { headers });
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
});

test('a call that is async without Prefer does not say that it follows one, nor does its repeat', async () => {
  const headers = { 'idempotency-key': 'three' };
  const scheduleAt = new Date(Date.now() + 60_000).toISOString();
  for (const isReplay of [null, 'true']) {
    const answer = await api.request('POST', call, { params: {}, scheduleAt }, { headers });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([202, isReplay]);
    expect(answer.headers.get('preference-applied')).toBeNull();
  }
  // A sync call that repeats an async one is told of that one.
  const key = { 'idempotency-key': 'four' };
  const first = await api.request(
    'POST',
    call,
    { params: {} },
    { headers: { ...key, prefer: 'respond-async' } },
  );
  const again = await api.request('POST', call, { params: {} }, { headers: key });
  expect([first.headers.get('preference-applied'), again.status]).toEqual(['respond-async', 202]);
  expect(again.headers.get('preference-applied')).toBeNull();
});

test('no answer has half of a character, whatever is named or described', async () => {
  const half = '\\ud83d';
  const bodies = [
    ['POST', '/v1/organizations', `{"${'x'.repeat(99)}\u{1f600}":1}`],
    ['POST', '/v1/organizations', `{"${half}":1}`],
    ['POST', call, `{"${'x'.repeat(99)}\u{1f600}":1}`],
    ['POST', call, `{"params":{"${half}":1}}`],
    [
      'POST',
      '/v1/webhooks',
      `{"workspaceId":"${tenant.workspaceId}","url":"https://x.example","description":"${half}"}`,
    ],
    ['PUT', `/v1/pauses/workspace/${tenant.workspaceId}`, `{"mode":"wait","reason":"${half}"}`],
  ] as const;
  for (const [method, path, body] of bodies) {
    const headers = { authorization: `Bearer ${api.rootKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}${path}`, { method, headers, body });
    expect([path, answer.status]).toEqual([path, 400]);
    expect(await answer.text()).not.toMatch(/\\ud[89a-f]/);
  }
});
