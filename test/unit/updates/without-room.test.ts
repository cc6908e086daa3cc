import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { UnreadBytes } from '../../../src/api/limits/unread-bytes.ts';
import { streamUpdates } from '../../../src/api/updates/stream-updates.ts';
import type { Followed } from '../../../src/updates/follow-updates.ts';
import type { UpdateBatch } from '../../../src/updates/read-updates.ts';
import { showAll } from '../../../src/updates/update-filter.ts';
import { eventually } from '../../support/eventually.ts';

const KIB = 1024;
const LARGE = 400 * KIB;

afterEach(() => vi.useRealTimers());

const batchOf = (at: number, entries: unknown[]) =>
  ({ entries, next: `0000000000000001_${String(at).padStart(16, '0')}`, upToDate: at > 0 }) as UpdateBatch;

/** A stream behind whose first offset there is one update of `LARGE` bytes; all organizations may hold 1600 KiB. */
function openStream() {
  const unread = new UnreadBytes(1_600 * KIB);
  const [other, next, own] = [unread.join('org'), unread.join('org'), unread.join('org')];
  let reads = 0;
  const followed = {
    heldAfter: () => null,
    hasAfter: () => true,
    listen: () => undefined,
    reached: () => undefined,
    async readAfter() {
      reads += 1;
      return batchOf(1, [{ size: LARGE, json: '"large"' }]);
    },
  } as unknown as Followed;
  const [reader, connection] = duplexPair();
  const close = () => void reader.destroy();
  const stream = { text: '', isOver: false, reads: () => reads, other, next, close };
  const closing = new AbortController();
  const http = createServer((_, raw) => {
    const first = { batch: batchOf(0, []) };
    const options = { raw, followed, first, unread: own, filter: showAll, cursor: undefined };
    void streamUpdates({ ...options, closing: closing.signal }).then(() => {
      stream.isOver = true;
    });
  });
  reader.setEncoding('utf8').on('data', (piece) => {
    stream.text += piece;
  });
  http.emit('connection', connection);
  reader.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  return stream;
}

it('is sent a large update once it has got the room for that, though others wait', async () => {
  const stream = openStream();
  stream.other.reserve(620 * KIB);
  await eventually(() => stream.reads() === 1);
  await nextTurn();
  // There is room for this one only while the stream has given back what it has got.
  stream.next.whenRoom(900 * KIB, () => undefined);
  stream.other.take();
  await eventually(() => stream.text.includes('"large"'));
  expect(stream.reads()).toBe(2);
  stream.close();
});

it('hears that it goes on while it waits for room, and ends after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const stream = openStream();
  stream.other.reserve(790 * KIB);
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
  };
  await pass(0);
  expect(stream.text).toContain('event: control');
  const beats = () => stream.text.split(': heartbeat').length - 1;
  expect(beats()).toBe(0);
  await pass(15_000);
  expect(beats()).toBe(1);
  await pass(15_000);
  expect([beats(), stream.isOver]).toEqual([2, false]);
  await pass(36_000);
  expect([stream.isOver, stream.text.endsWith('0\r\n\r\n'), stream.reads()]).toEqual([true, true, 0]);
  stream.close();
});
