import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { answerBrokenRequest } from '../../../src/api/plugins/broken-requests.ts';
import { PIPELINE_DEPTH } from '../../../src/api/server/pipeline.ts';
import { Pipelines } from '../../../src/api/server/pipelines.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

const TIMEOUT_MS = 400;
const ONE = 'POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1\r\n\r\nx';
const DEPTH = PIPELINE_DEPTH;

/** A server that answers nothing until it is told to. */
async function open() {
  const held: ServerResponse[] = [];
  let isOpen = false;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const end = () => response.end();
    request.resume().once('end', () => (isOpen ? end() : held.push(response)));
  };
  const server = createServer({
    requestTimeout: TIMEOUT_MS,
    headersTimeout: TIMEOUT_MS,
    connectionsCheckingInterval: 50,
  });
  const pipelines = new Pipelines(server, handle, () => ({ name: 'tenant', counts: false }));
  server.on('request', (request, response) => pipelines.take(request, response));
  server.on('clientError', answerBrokenRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = () => {
    isOpen = true;
    for (const response of held) response.end();
  };
  return { server, answer, connection: await RawConnection.open(url) };
}

it.each([
  ['head', ONE.slice(0, 20)],
  ['body', ONE.slice(0, -1)],
])('limits the time of a request whose %s was late while its connection was not read', async (_, part) => {
  const { server, answer, connection } = await open();
  connection.send(ONE.repeat(DEPTH + 1) + part);
  await sleep(3 * TIMEOUT_MS);
  expect(connection.isOver).toBe(false);
  answer();
  const answers = await connection.answers(DEPTH + 2);
  expect(answers.at(-1)?.status).toBe(408);
  await eventually(() => connection.isOver);
  server.close();
});

it.each([
  ['head', ONE.slice(0, 20), ONE.slice(20)],
  ['body', ONE.slice(0, -1), ONE.slice(-1)],
])('leaves a connection alone where the rest of the %s comes in time', async (_, part, rest) => {
  const { server, answer, connection } = await open();
  connection.send(ONE.repeat(DEPTH + 1) + part);
  await sleep(3 * TIMEOUT_MS);
  answer();
  connection.send(rest);
  await connection.answers(DEPTH + 2);
  await sleep(4 * TIMEOUT_MS);
  connection.send(ONE);
  const answers = await connection.answers(DEPTH + 3);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  connection.close();
  server.close();
});
