import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WEBHOOK_SCRIPTS } from '../../../src/webhooks/webhook-scripts.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({
    PUBLIC_URL: 'https://gateway.example/beta/',
    CORS_ORIGINS: 'https://app.example',
  });
});
afterAll(() => api.stop());

describe('health', () => {
  test('needs no key', async () => {
    expect(await api.request('GET', '/livez', undefined, { key: null })).toMatchObject({ status: 200 });
    const ready = await api.request('GET', '/readyz', undefined, { key: null });
    expect(ready).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { redis: 'ok' } },
    });
  });

  test('makes Redis hold the scripts it forgot', async () => {
    await api.redis.script('FLUSH');
    await eventually(async () => {
      const { status } = await api.request('GET', '/readyz');
      const held = await api.redis.script('EXISTS', ...WEBHOOK_SCRIPTS.map(({ sha }) => sha));
      return status === 200 && (held as number[]).every((one) => one === 1);
    });
  });

  // A machine that stands still for a second lets both be found out at once.
  const STALLED = { retry: { count: 2, condition: /which came first/ } };

  test(
    'says when Redis is away, within a second or so, and requests are told to come again',
    STALLED,
    async () => {
      const other = await TestApi.start({}, { role: 'request' });
      process.kill(other.server.pid, 'SIGSTOP');
      const order: string[] = [];
      // Redis' own silence is found out after two seconds.
      const silence = other.redis.ping().catch(() => order.push('silence'));
      const ready = await other.request('GET', '/readyz');
      order.push('readyz');
      await silence;
      expect(ready).toMatchObject({
        status: 503,
        body: { status: 'not ready', checks: { redis: 'unreachable', data: 'unknown', workers: 'unknown' } },
      });
      const list = await other.request('GET', '/v1/organizations');
      expect(list).toMatchObject({
        status: 503,
        body: { code: 'unavailable', retryable: true },
      });
      expect(list.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await other.request('GET', '/livez')).status).toBe(200);
      process.kill(other.server.pid, 'SIGCONT');
      await eventually(async () => (await other.request('GET', '/readyz')).status === 200);
      await other.stop();
      expect(order, 'which came first').toEqual(['readyz', 'silence']);
    },
  );

  test('is not ready while it stops, and takes nothing new', async () => {
    api.deps.lifecycle.draining = true;
    const ready = await api.request('GET', '/readyz');
    const list = await api.request('GET', '/v1/organizations');
    api.deps.lifecycle.draining = false;
    expect(ready).toMatchObject({ status: 503, body: { status: 'stopping' } });
    expect(list).toMatchObject({
      status: 503,
      body: { code: 'shutting_down' },
    });
    expect(list.headers.get('connection')).toBe('close');
  });
});

describe('metrics', () => {
  test('count requests by pattern, never by address', async () => {
    await api.request('GET', '/v1/organizations/org_01h455vb4pex5vsknk084sn02q');
    await api.request('GET', '/nothing/here');
    const { status, body, headers } = await api.request('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(body).toContain(
      'switchboard_http_requests_total{route="/v1/organizations/:id",method="GET",status="404"} 1',
    );
    expect(body).not.toContain('org_01h455vb4pex5vsknk084sn02q');
    expect(body).not.toContain('/nothing/here');
    for (const name of [
      'switchboard_calls_in_flight 0',
      'switchboard_calls_waiting 0',
      'process_cpu_seconds_total',
    ]) {
      expect(body).toContain(name);
    }
  });

  test('are there while Redis is away, without those that only Redis knows', async () => {
    const other = await TestApi.start({}, { role: 'request' });
    const read = async () => {
      const { status, body } = await other.request('GET', '/metrics');
      const shown = String(body).match(
        /^switchboard_(calls_in_flight|workers_\w+|lane_waiting|reply_stream_entries)\b.*$/gm,
      );
      return { status, shown };
    };
    const known = { status: 200, shown: expect.arrayContaining(['switchboard_workers_desired 1']) };
    expect(await read()).toEqual(known);
    process.kill(other.server.pid, 'SIGSTOP');
    try {
      await eventually(async () => {
        const { status, shown } = await read();
        expect(status).toBe(200);
        return String(shown) === 'switchboard_calls_in_flight 0';
      });
    } finally {
      process.kill(other.server.pid, 'SIGCONT');
    }
    await eventually(async () => (await read()).shown?.length !== 1);
    expect(await read()).toEqual(known);
    await other.stop();
  });

  test('are there while Redis is away for a key that was used before, and for no other', async () => {
    const other = await TestApi.start({}, { role: 'request' });
    const { organizationId } = await other.aTenant();
    const read = async (key: string) => (await other.request('GET', '/metrics', undefined, { key })).status;
    const aKey = () => other.aKey({ organizationId }, ['metrics:read']);
    const [used, unused] = [await aKey(), await aKey()];
    const wanted = { name: 'x', scopes: ['metrics:read'], organizationId };
    const { id, secret: deleted } = (await other.request('POST', '/v1/api-keys', wanted)).body;
    const calls = await other.aKey({ organizationId }, ['calls:read']);
    expect(await read(deleted)).toBe(200);
    await other.request('DELETE', `/v1/api-keys/${id}`);
    expect([await read(used), await read(calls), await read(deleted)]).toEqual([200, 403, 401]);
    process.kill(other.server.pid, 'SIGSTOP');
    try {
      await eventually(async () => (await other.request('GET', '/v1/organizations')).status === 503);
      expect([await read(used), await read(calls)]).toEqual([200, 403]);
      expect([await read(unused), await read(deleted)]).toEqual([503, 503]);
    } finally {
      process.kill(other.server.pid, 'SIGCONT');
    }
    await eventually(async () => (await read(unused)) === 200);
    expect(await read(deleted)).toBe(401);
    await other.stop();
  });

  test('need the scope that only the root key gives', async () => {
    const { organizationId } = await api.aTenant();
    const key = await api.aKey({ organizationId }, ['metrics:read', 'keys:write']);
    expect((await api.request('GET', '/metrics', undefined, { key })).status).toBe(200);
    const wanted = { name: 'x', scopes: ['metrics:read'], organizationId };
    expect((await api.request('POST', '/v1/api-keys', wanted, { key })).status).toBe(403);
  });
});

test('the page to read and try it loads nothing from elsewhere', async () => {
  const page = await api.request('GET', '/docs', undefined, { key: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.body).not.toMatch(/(src|href)="?https?:/);
  const [script = ''] = page.body.match(/\/assets\/\w+\/docs\/main\.js/) ?? [];
  const { headers, body } = await api.request('GET', script, undefined, { key: null });
  expect(headers.get('cache-control')).toContain('immutable');
  expect(headers.get('content-encoding')).toMatch(/br|gzip/);
  expect(body).toContain("from './");
  const root = await api.request('GET', '/', undefined, { key: null });
  expect([root.status, root.headers.get('location')]).toEqual([302, '/beta/docs']);
  const start = await api.request('GET', '/', undefined, { key: null, headers: { accept: 'text/html' } });
  expect([start.status, start.body]).toEqual([200, expect.stringContaining('href="/beta/docs"')]);
});

test('the base path may be in the address or not', async () => {
  for (const path of ['/livez', '/beta/livez', '/beta', '/beta/']) {
    expect((await api.request('GET', path)).status).toBeLessThan(400);
  }
  expect((await api.request('GET', '/betalivez')).status).toBe(404);
});

describe('CORS', () => {
  test('lets the pages of its origins ask, without a key for the preflight', async () => {
    const answer = await api.request('OPTIONS', '/v1/organizations', undefined, {
      key: null,
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, if-none-match',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(answer.headers.get('access-control-allow-headers')).toContain('if-none-match');
    const refused = await api.request('GET', '/v1/organizations', undefined, {
      key: null,
      headers: { origin: 'https://app.example' },
    });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://app.example',
    ]);
  });

  test('tells other pages nothing', async () => {
    const answer = await api.request('GET', '/livez', undefined, {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('faults of the sandbox', () => {
  test('go to the driver, and mark the account before they are there', async () => {
    const { accountId } = await api.aTenant();
    const path = `/v1/messenger-accounts/${accountId}/sandbox/faults`;
    const marks = async () => {
      const { faults, lane } = JSON.parse(
        (await api.redis.hget('sb:{directory}:messenger-accounts', accountId)) ?? '',
      );
      return { faults, lane };
    };
    const error = {
      method: 'messages.sendMessage',
      count: 3,
      error: 'FLOOD_WAIT_5',
    };
    expect(await api.ok('PUT', path, { faults: [error] })).toEqual({
      faults: [error],
    });
    expect(api.book.orders.at(-1)).toEqual({
      order: 'setFaults',
      accountId,
      params: { faults: [error] },
    });
    expect(await marks()).toEqual({ faults: true, lane: 'shared' });
    await api.ok('PUT', path, {
      faults: [{ method: '*', count: 1, delayMs: 5_000 }],
    });
    expect(await marks()).toEqual({ faults: true, lane: 'slow' });
    await api.ok('PUT', path, { faults: [] });
    expect(await marks()).toEqual({ faults: false, lane: 'shared' });
    expect(await api.ok('GET', path)).toEqual({ faults: [] });
  });

  test.each([
    [{ method: 'messages.noSuch', error: 'FLOOD_WAIT_5' }, '/faults/0/method'],
    [{ method: '*', error: 'NO_SUCH_ERROR' }, '/faults/0/error'],
    [{ method: '*', error: 'FLOOD_WAIT_5', count: 0 }, '/faults/0/count'],
    [{ method: '*', delayMs: 0 }, '/faults/0/delayMs'],
    [{ method: '*', crash: true }, '/faults/0/crash'],
    [{ method: '*', crash: false }, '/faults/0/crash'],
    [{ method: '*', error: 'FLOOD_WAIT_5', delayMs: 5 }, '/faults/0'],
    [{ method: '*', disconnect: false }, '/faults/0/disconnect'],
    [{ method: '*' }, '/faults/0'],
    [{ method: '*', error: 'FLOOD_WAIT_5', often: true }, '/faults/0/often'],
  ])('%j is refused', async (fault, pointer) => {
    const { accountId } = await api.aTenant();
    const answer = await api.request('PUT', `/v1/messenger-accounts/${accountId}/sandbox/faults`, {
      faults: [fault],
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', errors: [{ pointer }] },
    });
  });
});

describe('the process', () => {
  const good = () => ({
    REDIS_URL: api.server.url,
    SWITCHBOARD_ROOT_KEY: 'a-root-key-of-some-length',
    PORT: '0',
  });

  function run(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
    return new Promise((resolve) => {
      const options = { env: { PATH: process.env.PATH ?? '', ...env } };
      execFile(process.execPath, ['dist/src/api/main.js'], options, (error, _stdout, stderr) => {
        resolve({
          code: typeof error?.code === 'number' ? error.code : 0,
          stderr,
        });
      });
    });
  }

  test('says in one sentence why it does not start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const cases: [Record<string, string>, RegExp][] = [
      [{ ...good(), REDIS_URL: '' }, /REDIS_URL/],
      [
        { ...good(), REDIS_URL: 'redis://user:geheim@127.0.0.1:1' },
        /Redis at redis:\/\/127\.0\.0\.1:1 cannot be reached/,
      ],
      [{ ...good(), SWITCHBOARD_ROOT_KEY: '' }, /SWITCHBOARD_ROOT_KEY/],
      [{ ...good(), PORT: 'many' }, /PORT/],
      [{ ...good(), TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /TRUSTED_PROXIES/],
      [{ ...good(), PORT: String(port) }, /^Port \d+ is in use; set PORT to another one/],
    ];
    for (const [env, sentence] of cases) {
      const { code, stderr } = await run(env);
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('geheim');
    }
    taken.close();
  });

  test('prints its address, and stops when told to', async () => {
    const env = { PATH: process.env.PATH ?? '', ...good() };
    const child = spawn(process.execPath, ['dist/src/api/main.js'], { env });
    let text = '';
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk) => {
        text += chunk;
      });
    // A process that starts on a busy machine takes long.
    const url = await eventually(() => /"address":"([^"]+)"/.exec(text)?.[1], { timeoutMs: 60_000 });
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(text).not.toContain('a-root-key-of-some-length');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code, text).toBe(0);
  });
});
