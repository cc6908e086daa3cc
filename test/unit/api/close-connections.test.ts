import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installCloseConnections } from '../../../src/api/plugins/close-connections.ts';
import { openServer } from '../../../src/api/server/open-server.ts';
import { eventually } from '../../support/eventually.ts';

const REQUEST = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';

let app: FastifyInstance;
let port: number;
let asked: number;
let answer: () => void;
const sockets: Socket[] = [];

beforeEach(async () => {
  app = Fastify({
    serverFactory: (handle, options) =>
      openServer(handle, options, () => ({ name: 'tenant', counts: false })),
  });
  installCloseConnections(app);
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  asked = 0;
  app.get('/slow', async () => {
    asked += 1;
    await answered;
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

it('ends once the last answer is out, whoever still holds a connection', async () => {
  await open();
  const asking = await open();
  let heard = '';
  asking.on('data', (data) => {
    heard += data;
  });
  asking.write(REQUEST);
  await eventually(() => asked === 1);
  let isClosed = false;
  const closing = app.close().then(() => {
    isClosed = true;
  });
  await sleep(50);
  expect(isClosed).toBe(false);
  answer();
  await closing;
  await eventually(() => heard.includes('done'));
  expect(heard.toLowerCase()).toContain('connection: close');
});

it('waits for no answer whose client went away with others in front of it', async () => {
  await open();
  const gone = await open();
  gone.write(REQUEST + REQUEST);
  await eventually(() => asked === 2);
  gone.destroy();
  await eventually(async () => (await connections()) === 1);
  answer();
  await app.close();
});

function connections(): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
}
