import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostLookups } from '../../../src/webhooks/host-lookups.ts';
import { IDLE_MAX, IDLE_OF_ORGANIZATION } from '../../../workers/delivery/idle-connections.ts';
import { Poster } from '../../../workers/delivery/post.ts';
import { boundTickets } from '../../../workers/delivery/receiver-tls.ts';
import { eventually } from '../../support/eventually.ts';
import { CERTIFICATE } from '../../support/http/certificate.ts';

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';
const ASKER = { organizationId: 'org', workspaceId: 'ws' };

let poster: Poster;
let servers: Server[];
/** The open connections of all receivers. */
let open: Set<Socket>;
/** How many connections receivers have accepted. */
let accepted: number;

beforeEach(() => {
  poster = new Poster({
    allowPrivate: true,
    timeoutMs: 15_000,
    hosts: new HostLookups({ timeoutMs: 2_000 }),
  });
  [servers, open, accepted] = [[], new Set(), 0];
});
afterEach(() => {
  poster.close();
  for (const server of servers) server.close();
  for (const socket of open) socket.destroy();
});

/** The address of a receiver that does this with each request. */
async function aReceiver(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    accepted += 1;
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      if (String(chunk).startsWith('POST')) answer(socket);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const post = (url: string, organizationId = 'org') =>
  poster.post(url, {}, '{}', { ...ASKER, organizationId });

/** Sends this again and again, until the connection is closed. */
function flood(socket: Socket, text: string): void {
  const chunk = Buffer.from(text);
  const fill = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

test('interim answers without end close the connection', async () => {
  for (const status of ['100 Continue', '102 Processing', '103 Early Hints']) {
    const url = await aReceiver((socket) => flood(socket, `HTTP/1.1 ${status}\r\n\r\n`.repeat(2_000)));
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'too many interim answers' });
    await eventually(() => open.size === 0);
  }
  expect(accepted).toBe(3);
});

test('an answer after a few interim ones is taken', async () => {
  const url = await aReceiver((socket) =>
    socket.write(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(10)}${NO_CONTENT}`),
  );
  for (let count = 1; count <= 3; count += 1) expect(await post(url)).toMatchObject({ statusCode: 204 });
  expect(accepted).toBe(1);
});

test('of a body in pieces of a byte no more is read than of another', async () => {
  // The body itself is as large as one that is read whole; as it is sent, it takes six times as much.
  const body = `${'1\r\nx\r\n'.repeat(60_000)}0\r\n\r\n`;
  const url = await aReceiver((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`),
  );
  expect(await post(url)).toMatchObject({ statusCode: 200, error: null });
  await eventually(() => open.size === 0);
});

test('a body of a few pieces is read whole, and its connection kept, whatever it has brought before', async () => {
  const body = `1000\r\n${'x'.repeat(4_096)}\r\n`.repeat(12);
  const url = await aReceiver((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`),
  );
  for (let count = 1; count <= 4; count += 1) expect(await post(url)).toMatchObject({ statusCode: 200 });
  expect(accepted).toBe(1);
});

test('a body that comes in very many pieces is not read to its end', async () => {
  let sent = 0;
  const url = await aReceiver((socket) => {
    socket.setNoDelay();
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n');
    const drip = () => {
      if (socket.destroyed || sent === 60_000) return;
      sent += 1;
      socket.write('x');
      setImmediate(drip);
    };
    drip();
  });
  expect(await post(url)).toMatchObject({ statusCode: 200, error: null });
  await eventually(() => open.size === 0);
  expect(sent).toBeLessThan(60_000);
});

test('of an organization so many idle connections are kept, whatever its receivers', async () => {
  const urls = await Promise.all(
    Array.from({ length: IDLE_OF_ORGANIZATION + 4 }, () => aReceiver((socket) => socket.write(NO_CONTENT))),
  );
  for (const url of urls) expect(await post(url)).toMatchObject({ statusCode: 204 });
  await eventually(() => open.size === IDLE_OF_ORGANIZATION);
  // Those that are kept are used again.
  const before = accepted;
  for (const url of urls.slice(0, IDLE_OF_ORGANIZATION)) await post(url);
  expect([accepted, open.size]).toEqual([before, IDLE_OF_ORGANIZATION]);
  // What is closed makes room.
  for (const socket of open) socket.end();
  await eventually(() => open.size === 0);
  for (const url of urls) expect(await post(url)).toMatchObject({ statusCode: 204 });
  await eventually(() => open.size === IDLE_OF_ORGANIZATION);
});

test('of all organizations together so many idle connections are kept, and whoever comes then is served', async () => {
  for (let organization = 0; organization < IDLE_MAX / IDLE_OF_ORGANIZATION + 2; organization += 1) {
    const url = await aReceiver((socket) => socket.write(NO_CONTENT));
    const together = Array.from({ length: 2 * IDLE_OF_ORGANIZATION }, () => post(url, `org${organization}`));
    for (const posted of await Promise.all(together)) expect(posted).toMatchObject({ statusCode: 204 });
  }
  await eventually(() => open.size === IDLE_MAX);
});

test('a connection that its receiver closes within a second is not kept', async () => {
  // As a server of Node with `keepAliveTimeout: 1000` says.
  const head = 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\nKeep-Alive: timeout=1\r\n\r\n';
  const url = await aReceiver((socket) => socket.write(head));
  for (const count of [1, 2, 3]) {
    expect(await post(url)).toMatchObject({ statusCode: 204, error: null });
    await eventually(() => open.size === 0);
    expect(accepted).toBe(count);
  }
});

test('an idle connection that brings something nobody has asked for is closed', async () => {
  const url = await aReceiver((socket) => {
    socket.write(NO_CONTENT);
    setTimeout(() => flood(socket, 'x'.repeat(1_024)), 50);
  });
  expect(await post(url)).toMatchObject({ statusCode: 204 });
  await eventually(() => open.size === 0);
  expect(await post(url)).toMatchObject({ statusCode: 204, error: null });
  expect(accepted).toBe(2);
});

test('no handshake is made with a group that the receiver chooses', async () => {
  const ofReceiver = {
    ciphers: 'DHE-RSA-AES128-GCM-SHA256',
    dhparam: 'auto',
    maxVersion: 'TLSv1.2',
  } as const;
  const server = createTlsServer({ ...CERTIFICATE, ...ofReceiver });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const refused = once(server, 'tlsClientError');
  const { error } = await post(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  expect(error).not.toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect((await refused)[0]).toMatchObject({ code: 'ERR_SSL_NO_SHARED_CIPHER' });
});

test('session tickets without end close the connection', () => {
  const socket = new PassThrough();
  socket.on('error', () => undefined);
  // Once for each request over it.
  boundTickets(socket);
  boundTickets(socket);
  for (let sent = 0; sent < 10; sent += 1) socket.emit('session');
  expect(socket.destroyed).toBe(false);
  socket.emit('session');
  expect(socket.destroyed).toBe(true);
});
