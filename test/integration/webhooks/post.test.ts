import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HostLookups } from '../../../src/webhooks/host-lookups.ts';
import { Poster } from '../../../workers/delivery/post.ts';
import { Receiver } from '../../support/http/receiver.ts';

const NOT_PUBLIC = 'the host has no address, one that is not public, or more than 64';

let receiver: Receiver;
const ASKER = { organizationId: 'org', workspaceId: 'ws' };
const hosts = new HostLookups({ timeoutMs: 2_000 });
const poster = new Poster({ allowPrivate: true, timeoutMs: 15_000, hosts });
const hasty = new Poster({ allowPrivate: true, timeoutMs: 500, hosts });
const guarded = new Poster({ allowPrivate: false, timeoutMs: 5_000, hosts });

beforeAll(async () => {
  receiver = await Receiver.start();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(async () => {
  poster.close();
  hasty.close();
  guarded.close();
  await receiver.stop();
});

test('an answer is its status, whatever it is; redirects are not followed', async () => {
  for (const status of [200, 204, 299, 400, 404, 410, 429, 500, 503]) {
    receiver.answer = () => status;
    expect(await poster.post(receiver.url, {}, '{}', ASKER)).toMatchObject({
      statusCode: status,
      error: null,
    });
  }
  receiver.received.length = 0;
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer = () => (_, response) => {
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    };
    expect(await poster.post(receiver.url, {}, '{}', ASKER)).toMatchObject({ statusCode: status });
  }
  expect(receiver.received.map(({ path }) => path)).toEqual(Array(5).fill('/hook'));
});

test('an exchange that takes too long ends, wherever it hangs', async () => {
  receiver.answer = () => () => undefined;
  expect(await hasty.post(receiver.url, {}, '{}', ASKER)).toMatchObject({
    statusCode: null,
    error: 'no answer within 500 ms',
  });
  // The head comes at once and the body for ever, a little at a time.
  receiver.answer = () => (_, response) => {
    response.writeHead(200).write('x');
    const drip = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(drip));
  };
  expect(await hasty.post(receiver.url, {}, '{}', ASKER)).toMatchObject({
    statusCode: null,
    error: 'no answer within 500 ms',
  });
});

test('an answer that changes the protocol is one that refuses', async () => {
  receiver.answer = () => (request) => {
    request.socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
  };
  expect(await poster.post(receiver.url, {}, '{}', ASKER)).toMatchObject({ statusCode: 101, error: null });
});

test('informational answers without end are none', async () => {
  receiver.answer = () => (request) => {
    const flood = setInterval(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)), 5);
    request.socket.on('close', () => clearInterval(flood));
  };
  expect(await poster.post(receiver.url, {}, '{}', ASKER)).toMatchObject({
    statusCode: null,
    error: 'too many interim answers',
  });
});

test('an answer without end is read no further than needed', async () => {
  receiver.answer = () => (_, response) => {
    response.writeHead(200);
    const fill = () => {
      while (response.write(Buffer.alloc(64 * 1024))) if (response.destroyed) return;
    };
    response.on('drain', fill).on('error', () => undefined);
    fill();
  };
  expect(await poster.post(receiver.url, {}, '{}', ASKER)).toMatchObject({ statusCode: 200, error: null });
});

test('a broken connection is said in a word', async () => {
  receiver.answer = () => (request) => request.socket.destroy();
  expect(await poster.post(receiver.url, {}, '{}', ASKER)).toMatchObject({
    statusCode: null,
    error: 'ECONNRESET',
  });
  receiver.answer = () => (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x');
    setTimeout(() => request.socket.destroy(), 20);
  };
  expect((await poster.post(receiver.url, {}, '{}', ASKER)).statusCode).toBe(null);
  const gone = await Receiver.start();
  await gone.stop();
  expect(await poster.post(gone.url, {}, '{}', ASKER)).toMatchObject({
    statusCode: null,
    error: 'ECONNREFUSED',
  });
});

test.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0', 'localhost'])(
  'nothing is sent to %s where that is not allowed',
  async (host) => {
    receiver.answer = () => 204;
    const url = receiver.url.replace('127.0.0.1', host);
    expect(await guarded.post(url, {}, '{}', ASKER)).toMatchObject({
      statusCode: null,
      error: NOT_PUBLIC,
    });
    for (const metadata of ['http://169.254.169.254/latest/meta-data/', 'http://168.63.129.16/machine']) {
      expect(await guarded.post(metadata, {}, '{}', ASKER)).toMatchObject({
        error: NOT_PUBLIC,
      });
    }
    expect(receiver.received).toEqual([]);
  },
);

test.each(['[::127.0.0.1]', '[4000::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fec0::1]'])(
  'no connection is made to %s where that is not allowed',
  async (host) => {
    for (const url of [`https://${host}/hook`, `http://${host}/hook`])
      expect(await guarded.post(url, {}, '{}', ASKER)).toMatchObject({
        statusCode: null,
        error: NOT_PUBLIC,
      });
  },
);

test('a kept connection that the receiver has given up is replaced, once for each', async () => {
  let connections = 0;
  const server = createServer((socket: Socket) => {
    connections += 1;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!String(chunk).startsWith('POST')) return;
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\n\r\n');
      else socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let count = 1; count <= 3; count++) {
    const posted = await poster.post(`http://127.0.0.1:${port}/hook`, {}, '{}', ASKER);
    expect(posted).toMatchObject({ statusCode: 204, error: null });
    expect(connections).toBe(count);
  }
  server.close();
});

test('a kept connection that the receiver closes while a large delivery is written is replaced, too', async () => {
  const accepted: Socket[] = [];
  receiver.answer = () => (request, response) => {
    accepted.push(request.socket);
    response.writeHead(204).end();
  };
  await poster.post(receiver.url, {}, '{}', ASKER);
  for (const size of [1, 2 ** 20]) {
    accepted.at(-1)?.destroy();
    expect(await poster.post(receiver.url, {}, 'x'.repeat(size), ASKER)).toMatchObject({
      statusCode: 204,
      error: null,
    });
  }
  expect(new Set(accepted).size).toBe(3);
});
