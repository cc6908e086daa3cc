import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
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

/** How many of the newest hundred have such a name. */
async function organizations(prefix: string): Promise<number> {
  const { data } = await api.ok('GET', '/v1/organizations?limit=100&sort=-createdAt');
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
    const { server, url } = await serve(({ url = '' }, response) => {
      started.push(url);
      response.end();
    });
    const chunked = ['transfer-encoding: chunked'];
    const [whole] = await exchange(url, requestText('GET /whole', ['connection: close']));
    const [broken] = await exchange(url, requestText('GET /broken', chunked, 'XX\r\n'));
    expect([whole?.status, broken?.status]).toEqual([200, 400]);
    expect(started).toEqual(['/whole']);
    server.close();
  });

  test('are read on, where the first chunk of them had to wait and the next one came in the same turn', async () => {
    const { server, url } = await serve((request, response) => {
      if (request.url === '/first') {
        // Uses up what the turn has for requests, and then lets the time pass that brings new time.
        spin(3);
        process.nextTick(spin, 10);
      }
      request.resume().on('end', () => response.end());
    });
    const body = 'x'.repeat(100 * 1024);
    const connection = await RawConnection.open(url);
    connection.send(
      requestText('GET /first') + requestText('POST /long', [`content-length: ${body.length}`], body),
    );
    await connection.answers(2);
    connection.send(requestText('GET /last'));
    expect((await connection.answers(3)).map(({ status }) => status)).toEqual([200, 200, 200]);
    connection.close();
    server.close();
  });

  test('are read on, where Node has stopped reading too, as a body was not taken yet', async () => {
    const { server, url } = await serve((request, response) => {
      // Uses up what the turn has for requests, so that only a part of the body is parsed.
      spin(3);
      setTimeout(() => request.resume().on('end', () => response.end()), 50);
    });
    const connection = await RawConnection.open(url);
    const chunks = `c8\r\n${'x'.repeat(200)}\r\n`.repeat(2_000);
    connection.send(requestText('POST /long', ['transfer-encoding: chunked'], `${chunks}0\r\n\r\n`));
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([200]);
    connection.close();
    server.close();
  });

  test('are all answered to a client that has closed its side, where they were read behind a body that was not taken yet', async () => {
    const { server, url } = await serve((request, response) => {
      const answer = () => request.resume().on('end', () => response.end());
      if (request.url === '/long') setTimeout(answer, 50);
      // Uses up what the turn has for requests, so that the last one has to wait.
      else {
        spin(3);
        answer();
      }
    });
    Object.assign(server, { httpAllowHalfOpen: true });
    const body = 'x'.repeat(100 * 1024);
    const connection = await RawConnection.open(url);
    const long = requestText('POST /long', [`content-length: ${body.length}`], body);
    connection.send(long + requestText('GET /second') + requestText('GET /last')).finish();
    expect((await connection.untilOver()).map(({ status }) => status)).toEqual([200, 200, 200]);
    server.close();
  });

  test('all hear of the end of their connection, also one whose answer was given up before its turn', async () => {
    const closed: string[] = [];
    let begun = 0;
    const { server, url } = await serve(({ url = '' }, response) => {
      begun += 1;
      response.on('close', () => closed.push(url));
      if (url === '/given-up') response.destroy();
    });
    const connection = await RawConnection.open(url);
    connection.send(['first', 'given-up', 'last'].map((name) => requestText(`GET /${name}`)).join(''));
    await eventually(() => begun === 3);
    connection.close();
    await eventually(() => closed.length === 3);
    expect(closed.toSorted()).toEqual(['/first', '/given-up', '/last']);
    server.close();
  });
});

/** A server that starts requests in turns. */
async function serve(handle: RequestHandler): Promise<{ server: Server; url: string }> {
  const server = createServer();
  const pipelines = new Pipelines(server, handle, () => ({ name: 'all', counts: false }));
  server.on('request', (request, response) => pipelines.take(request, response));
  server.on('clientError', (_error, socket) => {
    stopParsing(socket as Socket);
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

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

  test.each([
    ['gzip, chunked', '/v1/organizations'],
    ['identity, chunked', '/v1/organizations'],
    ['chunked, chunked', '/v1/organizations'],
    ['gzip, chunked', '/v1/%zz'],
  ])('a body of the transfer coding %s for %s, and nothing behind it is read', async (coding, path) => {
    const before = await organizations('coded');
    const body = JSON.stringify({ name: 'coded' });
    const lines = ['content-type: application/json', `transfer-encoding: ${coding}`];
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const connection = await RawConnection.open(api.url);
    connection.send(requestText(`POST ${path}`, lines, chunks) + createText('coded'));
    const answers = await connection.untilOver();
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ code: 'bad_request' });
    expect(await organizations('coded')).toBe(before);
  });

  test.each(['HOST: other', 'authorization: Bearer other', 'AUTHORIZATION: '])(
    'a second %s, and nothing behind it is read',
    async (line) => {
      const before = await organizations('twice');
      const connection = await RawConnection.open(api.url);
      connection.send(requestText('GET /v1/organizations', [line]) + createText('twice'));
      const answers = await connection.untilOver();
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(await organizations('twice')).toBe(before);
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
