import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Pipelines, type RequestHandler } from '../../../src/api/server/pipelines.ts';
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
  const server = createServer();
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
