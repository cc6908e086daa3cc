import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { UnreadBytes } from '../../../src/api/limits/unread-bytes.ts';
import { streamUpdates } from '../../../src/api/updates/stream-updates.ts';
import type { Followed } from '../../../src/updates/follow-updates.ts';
import type { UpdateBatch } from '../../../src/updates/read-updates.ts';

const SLICES = 10;
// Three take a little more than the 15 seconds.
const SLICE_MS = 5_010;

const offsetOf = (at: number) => `0000000000000001_${String(at).padStart(16, '0')}`;

it('tells a reader far behind, whose filter nothing passes, every 15 seconds where it is', async () => {
  const startedAt = performance.now();
  let reads = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => startedAt + reads * SLICE_MS);
  const slice = (at: number) => ({ entries: [{ size: 1 }], next: offsetOf(at), upToDate: at === SLICES });
  const followed = {
    heldAfter: () => null,
    hasAfter: () => true,
    listen: () => undefined,
    reached: () => undefined,
    async readAfter() {
      reads += 1;
      return slice(reads) as unknown as UpdateBatch;
    },
  } as unknown as Followed;
  const first = slice(0) as unknown as UpdateBatch;
  const unread = new UnreadBytes(16 * 1024 * 1024).join('org');
  const closing = new AbortController();
  const rest = { followed, first: { batch: first }, unread, cursor: undefined, closing: closing.signal };
  const http = createServer((_, raw) => void streamUpdates({ raw, ...rest, filter: () => false }));
  const [reader, connection] = duplexPair();
  http.emit('connection', connection);
  let text = '';
  reader.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  reader.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  for (let tries = 0; tries < 100 && reads < SLICES; tries += 1) await sleep(10);
  await sleep(10);
  clock.mockRestore();
  expect([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual([0, 3, 6, 9].map(offsetOf));
  reader.destroy();
  unread.leave();
});
