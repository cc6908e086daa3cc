import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { exchange, RawConnection } from '../../support/http/raw-connection.ts';
import { type Account, Service } from '../../support/service/service.ts';

const DELAY_MS = 500;
const ENDLESS_MS = 60_000;
const ROOT_KEY = 'root-key-of-the-tests';

let service: Service;
let account: Account;
let slow: Account;
let endless: Account;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  account = await service.anAccount(id);
  slow = await aSlowAccount(id, DELAY_MS);
  endless = await aSlowAccount(id, ENDLESS_MS);
});
afterAll(() => service.stop());

async function aSlowAccount(workspaceId: string, delayMs: number): Promise<Account> {
  const made = await service.anAccount(workspaceId);
  const faults = [{ method: 'help.getSupport', delayMs, count: 1_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${made.id}/sandbox/faults`, { faults });
  return made;
}

function requestText(line: string, lines: string[] = [], body = ''): string {
  const head = [`${line} HTTP/1.1`, 'host: test', `authorization: Bearer ${ROOT_KEY}`, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function callText(of: Account, method = 'help.getSupport', lines: string[] = []): string {
  const body = JSON.stringify({ params: {} });
  const json = ['content-type: application/json', `content-length: ${body.length}`];
  const line = `POST /workspaces/${of.workspaceId}/messenger-accounts/${of.id}/call/${method}`;
  return requestText(line, [...json, ...lines], body);
}

/** Sends a body in pieces of its own making. */
function createText(lines: string[], body: string): string {
  return requestText('POST /v1/organizations', ['content-type: application/json', ...lines], body);
}

async function organizations(): Promise<number> {
  const names = [];
  for (let path = '/v1/organizations?limit=100'; ; ) {
    const page = await service.ok('GET', path);
    names.push(...page.data);
    if (page.cursors.next === null) return names.length;
    path = `/v1/organizations?limit=100&startingAfter=${page.cursors.next}`;
  }
}

function withdrawn(): number {
  const lines = service.apis.flatMap(({ logs }) => logs);
  return lines.filter(({ code }) => code === 'canceled').length;
}

test('giant headers of a HEAD request are answered without a body', async () => {
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${service.url}/livez`, { method: 'HEAD', headers: { x: 'y'.repeat(20_000) } });
    sent.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode)));
    sent.on('error', reject).end();
  });
  expect(status).toBe(431);
});

describe('what is broken behind a running call', () => {
  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['a header that is none', 'GET /livez HTTP/1.1\r\nbad header\r\n\r\n', 400],
    ['giant headers', `GET /livez HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['a broken body', createText(['transfer-encoding: chunked'], 'zz\r\n'), 400],
  ])('%s: the call is answered first', async (_name, garbage, status) => {
    const connection = await RawConnection.open(service.url);
    connection.send(callText(slow)).send(garbage);
    const answers = await connection.untilOver();
    expect(answers.map((answer) => answer.status)).toEqual([200, status]);
    expect(answers[0]?.headers['call-id']).toMatch(/^call_/);
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ txid: expect.any(Number) });
    expect(JSON.parse(answers[1]?.body ?? '')).toMatchObject({ status });
  });

  test('in the same packet, and in many', async () => {
    const at = await RawConnection.open(service.url);
    at.send(`${callText(slow)}GARBAGE\r\n\r\n`);
    const byBits = await RawConnection.open(service.url);
    byBits.send(callText(slow));
    for (let sent = 0; sent < 20; sent++) {
      byBits.send('GARBAGE');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const connection of [at, byBits]) {
      const answers = await connection.untilOver();
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    }
  });
});

test('a body that turns out broken after its request was refused is not answered twice', async () => {
  const connection = await RawConnection.open(service.url);
  const unauthorized = createText(['transfer-encoding: chunked'], '1\r\n{\r\n').replace(ROOT_KEY, 'nobody');
  connection.send(unauthorized);
  await connection.answers(1);
  connection.send('zz\r\n');
  expect((await connection.untilOver()).map(({ status }) => status)).toEqual([401]);
});

test('pipelined requests are answered in their order', async () => {
  const connection = await RawConnection.open(service.url);
  const refused = requestText('GET /v1/organizations/none');
  connection.send(callText(slow) + requestText('GET /livez') + refused + callText(account));
  const answers = await connection.answers(4);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
  expect(answers[1]?.body).toMatch(/^\{"status":"ok"/);
  connection.close();
});

describe('a client that closes its sending side behind the request', () => {
  test('gets its answer', async () => {
    for (const text of [requestText('GET /livez'), callText(account), callText(slow)]) {
      const connection = await RawConnection.open(service.url);
      connection.send(text).finish();
      const answers = (await connection.untilOver()).filter(({ status }) => status !== 102);
      expect(answers.map(({ status }) => status)).toEqual([200]);
    }
  });

  test('gets a refusal, and its connection is closed', async () => {
    const connection = await RawConnection.open(service.url);
    // It takes a look at Redis: so the answer comes after the end of the request's side.
    connection.send(requestText(`GET /v1/organizations/${newId('organization')}`)).finish();
    const answers = (await connection.untilOver(5_000)).filter(({ status }) => status !== 102);
    expect(answers.map(({ status }) => status)).toEqual([404]);
  });

  test('gets every answer where it asked more than once', async () => {
    await askTwice();
  });

  test('gets every answer where it asked more than once, beside many others', async () => {
    await Promise.all(Array.from({ length: 60 }, () => askTwice()));
  });

  async function askTwice(): Promise<void> {
    const connection = await RawConnection.open(service.url);
    const refused = requestText(`GET /v1/organizations/${newId('organization')}`);
    const texts = [callText(slow), refused, requestText('GET /livez'), callText(account), refused];
    connection.send(texts.join('')).finish();
    const answers = (await connection.untilOver()).filter(({ status }) => status !== 102);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 404]);
  }

  test('gets none before it with HTTP/1.0', async () => {
    const connection = await RawConnection.open(service.url);
    connection.send(callText(slow).replace('HTTP/1.1', 'HTTP/1.0')).finish();
    expect((await connection.untilOver()).map(({ status }) => status)).toEqual([200]);
  });

  test('is told when its body is not whole', async () => {
    const connection = await RawConnection.open(service.url);
    connection.send(createText(['content-length: 100'], '{"name":')).finish();
    const answers = await connection.untilOver();
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test('has its stream ended', async () => {
    const connection = await RawConnection.open(service.url);
    const path = `/v1/workspaces/${account.workspaceId}/updates?offset=now&live=sse`;
    connection.send(requestText(`GET ${path}`)).finish();
    await eventually(() => connection.closed || connection.isOver);
    connection.close();
  });
});

test('a client that is gone takes its call back, and one that reads on does not', async () => {
  const before = withdrawn();
  const reading = await RawConnection.open(service.url);
  reading.send(callText(slow)).finish();
  const gone = await RawConnection.open(service.url);
  gone.send(callText(endless));
  await new Promise((resolve) => setTimeout(resolve, 200));
  gone.close();
  await eventually(() => withdrawn() > before);
  expect((await reading.untilOver()).at(-1)?.status).toBe(200);
  expect(withdrawn()).toBe(before + 1);
});

describe('requests that two servers might read differently', () => {
  const smuggled = 'GET /v1/organizations/smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
  const name = '{"name":"smuggled"}';
  const length = `content-length: ${name.length}`;
  const chunks = `${name.length.toString(16)}\r\n${name}\r\n0\r\n\r\n`;

  test.each([
    ['a length and chunks', ['content-length: 4', 'transfer-encoding: chunked'], chunks],
    ['chunks and a length', ['transfer-encoding: chunked', 'content-length: 4'], chunks],
    ['two lengths', [length, 'content-length: 1'], name],
    ['the same length twice', [length, length], name],
    ['a list of lengths', [`content-length: ${name.length}, ${name.length}`], name],
    ['a signed length', [`content-length: +${name.length}`], name],
    ['a negative length', ['content-length: -1'], name],
    ['a hexadecimal length', ['content-length: 0x13'], name],
    ['a length beyond all numbers', ['content-length: 99999999999999999999999'], name],
    ['a length behind a space', [`content-length : ${name.length}`], name],
    ['a folded header', ['x: a', ' b', length], name],
    ['a folded length', ['content-length:', ` ${name.length}`], name],
    ['a folded encoding', ['transfer-encoding:', ' chunked'], chunks],
    ['an unknown encoding', ['transfer-encoding: xchunked'], chunks],
    ['an encoding behind chunks', ['transfer-encoding: chunked, identity'], chunks],
    ['chunks twice', ['transfer-encoding: chunked', 'transfer-encoding: chunked'], chunks],
    ['a NUL in a header', ['x: a\0b', length], name],
    ['a bare CR in a header', ['x: a\rtransfer-encoding: chunked', length], name],
    ['a vertical tab before an encoding', ['transfer-encoding: \x0bchunked'], chunks],
    ['a bad chunk size', ['transfer-encoding: chunked'], `${name.length}x\r\n${name}\r\n0\r\n\r\n`],
    ['a signed chunk size', ['transfer-encoding: chunked'], `+13\r\n${name}\r\n0\r\n\r\n`],
    ['a chunk size beyond all numbers', ['transfer-encoding: chunked'], `fffffffffffffffff\r\n${name}`],
    ['a chunk that is longer than it says', ['transfer-encoding: chunked'], `2\r\n${name}\r\n0\r\n\r\n`],
    ['bare line feeds in chunks', ['transfer-encoding: chunked'], chunks.replaceAll('\r\n', '\n')],
    ['an extension with a bare line feed', ['transfer-encoding: chunked'], `13;a\n${name}\r\n0\r\n\r\n`],
    [
      'an endless extension',
      ['transfer-encoding: chunked'],
      `13;${'x'.repeat(20_000)}\r\n${name}\r\n0\r\n\r\n`,
    ],
    [
      'endless trailers',
      ['transfer-encoding: chunked'],
      `${chunks.slice(0, -2)}x: ${'y'.repeat(20_000)}\r\n\r\n`,
    ],
  ])('%s is refused, and nothing behind it is read', async (_name, lines, body) => {
    const before = await organizations();
    const connection = await RawConnection.open(service.url);
    connection.send(createText(lines, body + smuggled));
    const answers = await connection.untilOver();
    expect(answers.map(({ status }) => status)).toEqual([
      expect.toSatisfy((it) => [400, 413, 431].includes(it)),
    ]);
    expect(await organizations()).toBe(before);
  });

  test('bare line feeds end no line of the head', async () => {
    const [answer] = await exchange(service.url, 'GET /livez HTTP/1.1\nhost: x\n\n');
    expect(answer?.status).toBe(400);
  });

  test('a trailer is no header', async () => {
    const trailers = 'authorization: Bearer nobody\r\nx-a: b\r\n\r\n';
    const [answer] = await exchange(
      service.url,
      createText(['transfer-encoding: chunked', 'trailer: authorization'], chunks.slice(0, -2) + trailers),
    );
    expect(answer?.status).toBe(201);
  });

  test('a short extension of a chunk is left alone', async () => {
    const [answer] = await exchange(
      service.url,
      createText(['transfer-encoding: chunked'], `13;a=b\r\n${name}\r\n0\r\n\r\n`),
    );
    expect(answer?.status).toBe(201);
  });

  test.each([
    ['two keys', ['authorization: Bearer nobody'], 400],
    ['no host', [], 400],
  ])('%s', async (what, lines, status) => {
    const text = requestText('GET /v1/organizations', lines);
    const [answer] = await exchange(
      service.url,
      what === 'no host' ? text.replace('host: test\r\n', '') : text,
    );
    expect(answer?.status).toBe(status);
  });
});
