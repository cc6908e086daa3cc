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
