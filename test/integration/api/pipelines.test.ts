import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pipelines, type RequestHandler, stopParsing } from '../../../src/api/server/pipelines.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { exchange, RawConnection } from '../../support/http/raw-connection.ts';

// What `src/api/server/pipelines.ts` promises.
const DEPTH = 16;

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

function requestText(line: string, lines: string[] = [], body = ''): string {
  const head = [`${line} HTTP/1.1`, 'host: test', `authorization: Bearer ${api.rootKey}`, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function createText(name: string): string {
  const body = JSON.stringify({ name });
  const lines = ['content-type: application/json', `content-length: ${body.length}`];
  return requestText('POST /v1/organizations', lines, body);
}

async function organizations(prefix: string): Promise<number> {
  const { data } = await api.ok('GET', '/v1/organizations?limit=100');
  return data.filter(({ name }: { name: string }) => name.startsWith(prefix)).length;
}

describe('requests that come one behind another', () => {
  test('are all answered in their order, however many come at once, with and without bodies', async () => {
    const connection = await RawConnection.open(api.url);
    const some = [
      requestText('GET /livez'),
      requestText('GET /nothing'),
      createText('ordered'),
      requestText('GET /v1/organizations?limit=1'),
    ];
    connection.send(some.join('').repeat(250)).send(createText('ordered'));
    const answers = await connection.answers(1_001);
    const statuses = Array.from({ length: 250 }, () => [200, 404, 201, 200]).flat();
    expect(answers.map(({ status }) => status)).toEqual([...statuses, 201]);
    // The connection is read again.
    connection.send(requestText('GET /livez')).send(requestText('GET /nothing'));
    expect((await connection.answers(1_003)).slice(-2).map(({ status }) => status)).toEqual([200, 404]);
    connection.close();
  });

  test('run a few at a time, and none of the rest once their connection is gone', async () => {
    const { workspaceId, accountId } = await api.aTenant();
    const body = JSON.stringify({ params: { peer: { _: 'inputPeerSelf' }, message: 'x' } });
    const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/messages.sendMessage`;
    const lines = ['content-type: application/json', `content-length: ${body.length}`];
    const callers: { destroyed: boolean }[] = [];
    let gone = 0;
    api.deps.calls.submit = (_request, caller) => {
      if (caller === undefined) throw new Error('a call has a caller');
      callers.push(caller);
      caller.on('close', () => gone++);
      return new Promise(() => undefined);
    };
    const connection = await RawConnection.open(api.url);
    connection.send(requestText(`POST ${path}`, lines, body).repeat(500));
    await eventually(() => callers.length === DEPTH);
    await sleep(200);
    expect(callers.length).toBe(DEPTH);
    connection.close();
    // Each of them hears of it, also those whose turn to be answered had not come.
    await eventually(() => gone === DEPTH);
    expect(callers.every(({ destroyed }) => destroyed)).toBe(true);
    await sleep(200);
    expect(callers.length).toBe(DEPTH);
  });

  test('do not start when their connection is gone, though those before them end', async () => {
    const connection = await RawConnection.open(api.url);
    connection.send(createText('orphan').repeat(400));
    await connection.answers(1);
    connection.close();
    await sleep(500);
    expect(await organizations('orphan')).toBeLessThan(100);
  });

  test('do not start where their body is broken', async () => {
    const started: string[] = [];
    const server = createServer();
    const lane = { name: 'all', counts: false };
    const handle: RequestHandler = ({ url = '' }, response) => {
      started.push(url);
      response.end();
    };
    const pipelines = new Pipelines(server, handle, () => lane);
    server.on('request', (request, response) => pipelines.take(request, response));
    server.on('clientError', (_error, socket) => {
      stopParsing(socket as Socket);
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const chunked = ['transfer-encoding: chunked'];
    const [whole] = await exchange(url, requestText('GET /whole', ['connection: close']));
    const [broken] = await exchange(url, requestText('GET /broken', chunked, 'XX\r\n'));
    expect([whole?.status, broken?.status]).toEqual([200, 400]);
    expect(started).toEqual(['/whole']);
    server.close();
  });
});

describe('heads that are not taken', () => {
  test('two Host headers', async () => {
    for (const path of ['/livez', '/nothing', '/v1/organizations']) {
      const [answer] = await exchange(api.url, requestText(`GET ${path}`, ['HOST: other']));
      expect(answer?.status).toBe(400);
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({
        code: 'bad_request',
        detail: 'Send one Host header.',
      });
    }
  });

  test('two Authorization headers, whatever keys they have', async () => {
    const requests = [
      requestText('GET /v1/organizations', ['AUTHORIZATION: Bearer other']),
      requestText('GET /v1/organizations', [`authorization: Bearer ${api.rootKey}`]),
      requestText('GET /livez', ['authorization: ']),
    ];
    for (const text of requests) {
      const [answer] = await exchange(api.url, text);
      expect(answer?.status).toBe(400);
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({
        code: 'bad_request',
        detail: 'Send one Authorization header.',
      });
    }
  });

  test.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked'])(
    'a body of the transfer coding %s, and nothing behind it is read',
    async (coding) => {
      const before = await organizations('coded');
      const body = JSON.stringify({ name: 'coded' });
      const lines = ['content-type: application/json', `transfer-encoding: ${coding}`];
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const connection = await RawConnection.open(api.url);
      connection.send(requestText('POST /v1/organizations', lines, chunks) + createText('coded'));
      const answers = await connection.untilOver();
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ code: 'bad_request' });
      expect(await organizations('coded')).toBe(before);
    },
  );

  test('no Host header, except of HTTP/1.0', async () => {
    for (const [version, status] of [
      ['1.1', 400],
      ['1.0', 200],
    ] as const) {
      const [answer] = await exchange(api.url, `GET /livez HTTP/${version}\r\nconnection: close\r\n\r\n`);
      expect(answer?.status).toBe(status);
      expect(answer?.headers['content-type']).toMatch(
        status === 400 ? /^application\/problem\+json/ : /json/,
      );
    }
  });

  test('a length beyond the limit is refused before anything of the body comes, and is not waited for', async () => {
    const lines = ['content-type: application/json', `content-length: ${1024 * 1024 + 1}`];
    const connection = await RawConnection.open(api.url);
    connection.send(requestText('POST /v1/organizations', lines, '{'));
    const [answer] = await connection.answers(1, 1_000);
    expect(answer?.status).toBe(413);
    expect((await connection.untilOver(7_000)).length).toBe(1);
  });

  test.each(['gzip', 'br', 'deflate, gzip', 'zstd'])('a body that is encoded as %s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const answer = await api.request('POST', '/v1/organizations', { name: 'Encoded' }, { headers });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(answer.body).toMatchObject({
      code: 'unsupported_media_type',
      detail: expect.stringContaining('Content-Encoding'),
    });
  });

  test('identity is no encoding', async () => {
    const headers = { 'content-encoding': 'Identity' };
    expect((await api.request('POST', '/v1/organizations', { name: 'Plain' }, { headers })).status).toBe(201);
  });
});
