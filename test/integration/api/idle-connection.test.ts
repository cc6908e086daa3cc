import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { LoopBudget } from '../../../src/api/server/loop-budget.ts';
import { Pipelines, type RequestHandler, stopParsing } from '../../../src/api/server/pipelines.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { isCollected } from '../../support/is-collected.ts';

const REQUEST = 'POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1\r\n\r\nx';

it('keeps nothing of the requests that were answered on it', async () => {
  const seen: WeakRef<object>[] = [];
  const handle: RequestHandler = (request, response) => {
    seen.push(new WeakRef(request), new WeakRef(response));
    request.resume().once('end', () => response.end('done'));
  };
  // Looking for garbage may take longer than the five seconds of the default.
  const server = createServer({ keepAliveTimeout: 0 });
  const pipelines = new Pipelines(server, handle, () => ({ name: 'tenant', counts: false }));
  server.on('request', (request, response) => pipelines.take(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connection = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  connection.send(REQUEST.repeat(3));
  await connection.answers(3);
  expect(seen).toHaveLength(6);
  for (const one of seen) expect(await eventually(() => isCollected(one))).toBe(true);
  expect(connection.isOver).toBe(false);
  connection.close();
  server.close();
});

it('is read on behind a request that has ended its parsing, also if that had to wait for its turn', async () => {
  const sockets: Socket[] = [];
  const handle: RequestHandler = ({ url, socket }, response) => {
    if (url === '/last') stopParsing(socket);
    else response.end('done');
  };
  const server = createServer({ keepAliveTimeout: 0 }).on('connection', (socket) => sockets.push(socket));
  const pipelines = new Pipelines(server, handle, () => ({ name: 'tenant', counts: false }));
  server.on('request', (request, response) => pipelines.take(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connection = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.spyOn(LoopBudget.prototype, 'hasTime').mockReturnValue(false);
  connection.send(REQUEST);
  await connection.answers(1);
  connection.send(REQUEST.replace('/', '/last') + REQUEST);
  for (let more = 0; more < 20; more += 1) {
    await sleep(10);
    connection.send('x'.repeat(100_000));
  }
  await eventually(() => sockets[0]?.bytesRead === connection.socket.bytesWritten);
  connection.close();
  server.close();
});
