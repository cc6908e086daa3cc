import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { UnparsedBytes } from '../../../src/api/server/unparsed-bytes.ts';

const GET = 'GET /a HTTP/1.1\r\nhost: a\r\n\r\n';
const POST = 'POST /b HTTP/1.1\r\nhost: a\r\ncontent-length: 12\r\n\r\nab\r\n\r\ncd\r\n\r\n';
const CHUNKED =
  'POST /c HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';

/** What Node's parser makes of pieces that come one by one: how many requests with each part, and all bodies. */
async function parse(pieces: string[]): Promise<{ most: number; bodies: string[] }> {
  const bodies: string[] = [];
  const unread = new UnparsedBytes();
  let begun = 0;
  let most = 0;
  const server = createServer((request: IncomingMessage, response) => {
    begun += 1;
    unread.begin(request);
    const place = bodies.push('') - 1;
    request.on('data', (bytes: Buffer) => {
      bodies[place] += bytes.toString();
    });
    request.on('end', () => response.end());
  });
  const opened = new Promise<(bytes: Buffer) => void>((resolve) =>
    server.on('connection', (socket: Socket) => {
      const [read] = socket.listeners('data') as [(bytes: Buffer) => void];
      socket.off('data', read);
      socket.on('data', () => undefined);
      resolve(read);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const read = await opened;
  for (const piece of pieces) {
    unread.add(Buffer.from(piece));
    while (unread.size > 0) {
      const before = begun;
      unread.parseNext(read);
      most = Math.max(most, begun - before);
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.destroy();
  server.close();
  return { most, bodies };
}

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}

const EXPECTED = ['', '', 'ab\r\n\r\ncd\r\n\r\n', 'abcde', '', 'ab\r\n\r\ncd\r\n\r\n', ''];
const TEXT = [GET, GET, POST, CHUNKED, GET, POST, GET].join('');

test.each([1, 2, 3, 5, 7, 11, 64, 100, 10_000])(
  'gives out one request at a time of pieces of %i bytes',
  async (size) => {
    expect(await parse(cut(TEXT, size))).toEqual({ most: 1, bodies: EXPECTED });
  },
);

test('gives out one request at a time behind a head and a body that were cut where it is least convenient', async () => {
  const head = 'POST /b HTTP/1.1\r\nhost: a\r\ncontent-length: 40000\r\n\r\n';
  for (const cutAt of [1, 2, 3]) {
    const pieces = [
      head.slice(0, -cutAt),
      head.slice(-cutAt) + 'x'.repeat(39_990),
      'x'.repeat(10) + GET.repeat(100),
    ];
    expect((await parse(pieces)).most).toBe(1);
  }
});

test('gives out what has no blank line as it is', () => {
  const unread = new UnparsedBytes();
  const parts: string[] = [];
  unread.add(Buffer.from('GET /'));
  unread.parseNext((bytes) => parts.push(bytes.toString()));
  unread.add(Buffer.from(' HTTP/1.1\r\n'));
  unread.parseNext((bytes) => parts.push(bytes.toString()));
  expect(parts).toEqual(['GET /', ' HTTP/1.1\r\n']);
  expect(unread.size).toBe(0);
});

test('knows the end of a chunked body whatever its chunks hold, and gives out few of them at once', async () => {
  const head = 'POST /c HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n';
  const fake = `0\r\n\r\n${GET}`;
  const tiny = '1;a="0"\r\nx\r\n'.repeat(1_000);
  const text = `${head}${fake.length.toString(16).toUpperCase()}\r\n${fake}\r\n${tiny}000\r\nt: 0\r\n\r\n${GET}${GET}`;
  const bodies = [fake + 'x'.repeat(1_000), '', ''];
  for (const size of [1, 2, 3, 7, 50, 333, 5_000, 100_000])
    expect([size, await parse(cut(text, size))]).toEqual([size, { most: 1, bodies }]);
});

test('gives out a chunk of blank lines at once, and of tiny chunks some', () => {
  const unread = new UnparsedBytes();
  const parts: number[] = [];
  const parse = (bytes: Buffer) => {
    if (parts.length === 0) unread.begin(request);
    parts.push(bytes.length);
  };
  const request = {
    headers: { 'transfer-encoding': 'chunked' },
    complete: false,
  } as unknown as IncomingMessage;
  const chunk = `8000\r\n${'\r\n'.repeat(0x4000)}\r\n`;
  unread.add(Buffer.from(`POST / HTTP/1.1\r\n\r\n${chunk}${'1\r\nx\r\n'.repeat(10_000)}`));
  while (unread.size > 0) unread.parseNext(parse);
  expect(parts[1]).toBeGreaterThan(chunk.length);
  expect(Math.max(...parts.slice(2))).toBe(64 * 6);
});
