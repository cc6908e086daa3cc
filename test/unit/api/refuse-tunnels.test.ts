import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { refuseTunnels } from '../../../src/api/plugins/broken-requests.ts';
import { openServer } from '../../../src/api/server/open-server.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

const PIECE = Buffer.alloc(64 * 1024, 'x');
// More than the buffers of the system take.
const PIECES = 400;

test('an answer before a CONNECT goes on as its reader takes it', async () => {
  const server = openServer(
    (_request, response) => {
      response.setHeader('content-length', PIECE.length * PIECES);
      pipeline(Readable.from(Array(PIECES).fill(PIECE)), response, () => undefined);
    },
    {},
    () => ({ name: 'all', counts: true }),
  );
  refuseTunnels({ server } as FastifyInstance);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connection = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  connection.socket.pause();
  connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n');
  await sleep(300);
  connection.socket.resume();
  const answers = await connection.untilOver();
  expect(answers.map(({ status }) => status)).toEqual([200, 405]);
  expect(answers[0]?.body).toHaveLength(PIECE.length * PIECES);
  server.close();
});
