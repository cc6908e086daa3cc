import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UnreadBytes } from '../../../src/api/limits/unread-bytes.ts';
import { streamUpdates } from '../../../src/api/updates/stream-updates.ts';
import type { Logger } from '../../../src/logger.ts';
import { UpdateFollower } from '../../../src/updates/follow-updates.ts';
import { readUpdates } from '../../../src/updates/read-updates.ts';
import { showAll } from '../../../src/updates/update-filter.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

// Longer than a reader that takes nothing is given.
const SLOWLY_MS = 12_000;

// The buffers of a TCP connection on one machine would hide for seconds that a reader goes on.
it('sends a large update to a reader that takes it slowly, but all the time', async () => {
  await appendUpdates(redis, ws, [{ value: '更'.repeat(900_000) }]);
  const first = await readUpdates(redis, ws, 'beginning');
  const subscriber = redis.duplicate();
  const follower = new UpdateFollower(redis, subscriber, {} as Logger);
  const followed = follower.follow(ws, (_name, read) => read());
  const unread = new UnreadBytes(16 * 1024 * 1024).join('org');
  const rest = {
    followed,
    first: { batch: first },
    unread,
    filter: showAll,
    cursor: undefined,
    closing: follower.signal,
  };
  const http = createServer((_, raw) => void streamUpdates({ raw, ...rest }));
  const [reader, connection] = duplexPair();
  http.emit('connection', connection);
  reader.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const until = performance.now() + SLOWLY_MS;
  while (performance.now() < until) {
    reader.read(5_000);
    await sleep(50);
  }
  let text = '';
  reader.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  await eventually(() => text.includes('"upToDate":true'));
  expect(connection.destroyed).toBe(false);
  reader.destroy();
  unread.leave();
  followed.close();
  follower.close();
  subscriber.disconnect();
});
