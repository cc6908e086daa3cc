import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { installHalfOpen } from '../../../src/api/plugins/half-open.ts';
import { openServer } from '../../../src/api/server/open-server.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

const PIECE = 'x'.repeat(1_000);
// Longer than the pause between two looks at the connection.
const PAUSE_MS = 1_500;

async function* inPieces() {
  yield PIECE;
  await sleep(PAUSE_MS);
  yield PIECE;
}

async function ask(headers: Record<string, number>) {
  const app = Fastify({
    serverFactory: (handle, options) =>
      openServer(handle, options, () => ({ name: 'tenant', counts: false })),
  });
  installHalfOpen(app);
  app.get('/', (_request, reply) => reply.headers(headers).send(Readable.from(inPieces())));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const connection = await RawConnection.open(`http://127.0.0.1:${port}`);
  connection.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n').finish();
  const answers = await connection.untilOver();
  await app.close();
  return answers.filter(({ status }) => status >= 200);
}

it('sends the whole of an answer in pieces to a client that has closed its side', async () => {
  const [answer] = await ask({ 'content-length': 2 * PIECE.length });
  expect(answer?.body).toBe(PIECE + PIECE);
});

it('ends an answer without a length, which may have no end', async () => {
  expect(await ask({})).toEqual([]);
});
