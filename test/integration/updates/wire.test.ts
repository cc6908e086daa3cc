import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { wakeChannel } from '../../../src/redis/keys.ts';
import { api, append, path, useUpdateStream, workspaceId } from '../../support/api/update-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { subscribe } from '../../support/http/subscriber.ts';

const TEXT = 'Grüße aus Łódź, 東京 🎈';

useUpdateStream();

/** A connection that requests are written to as they are, and what came back on it. */
async function openRaw(): Promise<{ socket: Socket; text(): string; isOver(): boolean }> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let text = '';
  let isOver = false;
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('close', () => {
    isOver = true;
  });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return { socket, text: () => text, isOver: () => isOver };
}

const get = (query: string, version = '1.1') =>
  `GET ${path}?${query} HTTP/${version}\r\nHost: localhost\r\nAuthorization: Bearer ${api.rootKey}\r\n\r\n`;

test('an update of any text and size comes whole, in chunks that HTTP readers understand', async () => {
  const subscriber = await subscribe(`${api.url}${path}?offset=now&live=sse`, api.rootKey);
  const values = [TEXT, '', TEXT.repeat(5_000), 'x', '\r\n\r\n0\r\n\r\n'];
  for (const value of values) await append(value);
  const found = () =>
    subscriber.events.flatMap(({ data }) =>
      (JSON.parse(data) as { update: { value: string } }[]).map(({ update }) => update.value),
    );
  await eventually(() => found().length === values.length);
  expect(found()).toEqual(values);
  subscriber.request.destroy();
});

test('each event of a live stream is one chunk', async () => {
  const raw = await openRaw();
  raw.socket.write(get('offset=now&live=sse'));
  await eventually(() => raw.text().includes('upToDate'));
  const before = raw.text().length;
  await append(TEXT);
  await eventually(() => raw.text().slice(before).includes('upToDate'));
  const [length, body] = raw.text().slice(before).split('\r\n') as [string, string];
  expect(Number.parseInt(length, 16)).toBe(Buffer.byteLength(body));
  expect(body).toContain(TEXT);
  expect(body).toMatch(/event: data\n.*\n\nid: .*\nevent: control\n.*\n\n$/);
  raw.socket.destroy();
});

test('a reader of HTTP/1.0 gets events without chunks', async () => {
  const raw = await openRaw();
  raw.socket.write(get('offset=now&live=sse', '1.0'));
  await eventually(() => raw.text().includes('upToDate'));
  await append(TEXT);
  await eventually(() => raw.text().includes(TEXT));
  const [head = '', ...body] = raw.text().split('\r\n\r\n');
  expect(head).not.toMatch(/transfer-encoding/i);
  expect(body.join('')).not.toContain('\r\n');
  raw.socket.destroy();
});

test('a stream that waits behind another answer on its connection comes after it, and whole', async () => {
  const raw = await openRaw();
  raw.socket.write(get('offset=-1&live=long-poll') + get('offset=-1&live=sse'));
  const channel = wakeChannel(workspaceId);
  await eventually(async () => (await api.redis.pubsub('SHARDNUMSUB', channel)).includes(1));
  await append('first');
  await eventually(() => raw.text().includes('upToDate'));
  await append('second');
  await eventually(() => raw.text().includes('second'));
  const [, poll = '', stream = ''] = raw.text().split('HTTP/1.1 200 OK\r\n');
  expect(poll).toContain('content-type: application/json');
  expect(stream).toContain('content-type: text/event-stream');
  expect(stream.indexOf('welcome')).toBeLessThan(stream.indexOf('"first"'));
  expect(stream.indexOf('"first"')).toBeLessThan(stream.indexOf('"second"'));
  expect(stream.split('"first"')).toHaveLength(2);
  raw.socket.destroy();
});
