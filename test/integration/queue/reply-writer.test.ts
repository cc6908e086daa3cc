import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReplyWriter, UNREAD_MAX } from '../../../src/queue/consume/reply-writer.ts';
import { UnreadReplies } from '../../../src/queue/consume/unread-replies.ts';
import { COST_FIELD } from '../../../src/queue/frame.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const KiB = 1024;
const STREAM = 'replies';
const frame = (bytes: number) => 'x'.repeat(bytes);

let server: TestRedis;
let redis: RedisConnection;
let writer: ReplyWriter;
let stalled: string[];

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
});

beforeEach(async () => {
  await redis.flushall();
  await redis.xadd(STREAM, '0-1', '', '');
  stalled = [];
  writer = new ReplyWriter(redis, (stream) => stalled.push(stream));
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const send = (...replies: [callNumber: number, frame: string][]) =>
  Promise.all(replies.map(([number, text]) => writer.send(STREAM, number, text)));

/** What lies on the stream behind its first entry. */
const entries = async () => (await redis.xrange(STREAM, '(0-1', '+')).map(([, fields]) => fields);

describe('replies of one turn', () => {
  it('are one entry, there once they are sent, and those of the next are another', async () => {
    await send([1, 'one'], [2, 'two']);
    expect(await entries()).toEqual([['1', 'one', '2', 'two']]);
    await send([3, 'three']);
    expect(await entries()).toEqual([
      ['1', 'one', '2', 'two'],
      ['3', 'three'],
    ]);
  });

  it('go to the stream of each process', async () => {
    await redis.xadd('others', '0-1', '', '');
    await Promise.all([writer.send(STREAM, 1, 'mine'), writer.send('others', 1, 'other')]);
    expect(await entries()).toEqual([['1', 'mine']]);
    expect((await redis.xrange('others', '(0-1', '+')).map(([, fields]) => fields)).toEqual([['1', 'other']]);
    expect(writer.processes).toBe(2);
  });

  it('are divided where they are more than 256 KiB, and exactly that is one entry', async () => {
    const parts = (count: number) =>
      Array.from({ length: count }, (_, n): [number, string] => [n, frame(16 * KiB)]);
    await send(...parts(16));
    await send(...parts(18), [18, 'x']);
    expect((await entries()).map((fields) => fields.filter((_, at) => at % 2 === 0))).toEqual([
      Array.from({ length: 16 }, (_, n) => `${n}`),
      Array.from({ length: 16 }, (_, n) => `${n}`),
      ['16', '17', '18'],
    ]);
    expect((await entries()).flat().filter((field) => field.length > 2)).toHaveLength(34);
  });

  it('keep their notes before them where they are divided', async () => {
    const most = frame(16 * KiB);
    await Promise.all([
      ...Array.from({ length: 15 }, (_, n) => writer.send(STREAM, n, most, { cost: 3, ranUntil: 4 })),
      writer.send(STREAM, 15, frame(16 * KiB - 64), { cost: 5, ranUntil: 6 }),
      writer.send(STREAM, 16, most, { cost: 7, ranUntil: 8 }),
    ]);
    const [first, second, ...more] = await entries();
    expect(first?.slice(-6)).toEqual([COST_FIELD, '5', '', '6', '15', frame(16 * KiB - 64)]);
    expect(second).toEqual([COST_FIELD, '7', '', '8', '16', most]);
    expect(more).toEqual([]);
  });

  it('do not wait for one of more than 16 KiB, which is kept apart for a minute', async () => {
    const [most, large] = [frame(16 * KiB), frame(16 * KiB + 1)];
    await send([1, most], [2, large], [3, 'x']);
    expect(await entries()).toEqual([
      ['1', most, '3', 'x'],
      ['2', `@${STREAM}:2`],
    ]);
    expect(await redis.get(`${STREAM}:2`)).toBe(large);
    const left = await redis.pttl(`${STREAM}:2`);
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
    expect((await redis.keys('*')).sort()).toEqual([STREAM, `${STREAM}:2`]);
  });
});

it('leaves the stream of a process that has ended alone, and forgets it', async () => {
  await writer.send('gone', 1, 'x');
  await writer.send('gone', 2, frame(16 * KiB + 1));
  await writer.send('gone', 3, 'x', { cost: 2, ranUntil: 3 });
  expect(await redis.keys('gone*')).toEqual([]);
  expect(writer.processes).toBe(0);
  expect(writer.dropped).toBe(3);
  await send([1, 'x']);
  expect(writer.processes).toBe(1);
});

it('says what Redis has against a reply, and sends the next', async () => {
  await redis.set('text', 'x');
  await expect(writer.send('text', 1, 'x')).rejects.toThrow('WRONGTYPE');
  await send([1, 'x']);
  expect(await entries()).toEqual([['1', 'x']]);
});

describe('a process that reads nothing', () => {
  const MUCH = 16 * KiB;

  /** Fills what may be written ahead. */
  async function fill(): Promise<void> {
    const entry = Array.from({ length: 16 }, (_, n): [number, string] => [n, frame(MUCH)]);
    for (let sent = 0; sent < UNREAD_MAX; sent += 16 * MUCH) await send(...entry);
    expect(stalled).toEqual([]);
  }

  it('is forgotten when it is gone, whatever waits for it then', async () => {
    await fill();
    const waiting = writer.send(STREAM, 90, frame(KiB * KiB));
    await redis.del(STREAM);
    await writer.noteMoved(STREAM, 91);
    await waiting;
    expect(writer.processes).toBe(0);
  });

  it('is waited for once, and its replies are dropped until it has read half', async () => {
    await fill();
    const before = (await entries()).length;
    const startedAt = performance.now();
    await Promise.all([send([90, 'x']), send([91, 'x'])]);
    await send([92, 'x']);
    expect(performance.now() - startedAt).toBeGreaterThan(1_990);
    expect(stalled).toEqual([STREAM]);
    expect(await entries()).toHaveLength(before);
    // Nobody waits again.
    const again = performance.now();
    for (let n = 0; n < 10; n += 1) await send([100 + n, 'x']);
    expect(performance.now() - again).toBeLessThan(10 * 2_000);
    expect(stalled).toEqual([STREAM]);
    const ids = (await redis.xrange(STREAM, '-', '+')).map(([id]) => id);
    // Not quite half of it.
    await redis.xtrim(STREAM, 'MINID', ids[32] as string);
    await send([200, 'x']);
    expect(await entries()).toHaveLength(ids.length - 32);
    await redis.xtrim(STREAM, 'MINID', ids[33] as string);
    await send([201, 'x']);
    expect((await entries()).at(-1)).toEqual(['201', 'x']);
  });

  it('gets no more large replies that are ready together than there is room for', async () => {
    const MiB = KiB * KiB;
    await send(...Array.from({ length: 40 }, (_, n): [number, string] => [n, frame(MiB)]));
    expect(await redis.keys(`${STREAM}:*`)).toHaveLength(UNREAD_MAX / MiB);
    expect(writer.dropped).toBe(40 - UNREAD_MAX / MiB);
    await redis.xtrim(STREAM, 'MAXLEN', 0);
    await send([90, frame(MiB)]);
    expect((await entries()).at(-1)).toEqual(['90', `@${STREAM}:90`]);
  });

  it('is waited for while it reads again', async () => {
    await fill();
    const waiting = send([90, 'x']);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await redis.xtrim(STREAM, 'MAXLEN', 0);
    await waiting;
    expect([stalled, (await entries()).at(-1)]).toEqual([[], ['90', 'x']]);
  });
});

describe('what is unread', () => {
  const MiB = KiB * KiB;

  it('is nothing once all was taken away, though a failover has made ids lower', async () => {
    await redis.del(STREAM);
    const unread = new UnreadReplies(STREAM);
    unread.add('2000-0', MiB);
    unread.add('1000-0', MiB);
    const refreshed = unread.refresh(redis);
    unread.add('1500-0', 7);
    await refreshed;
    expect(unread.bytes).toBe(7);
  });

  it('is what was written and not taken away', async () => {
    await redis.del(STREAM);
    const unread = new UnreadReplies(STREAM);
    const write = async (id: string, bytes: number) =>
      unread.add((await redis.xadd(STREAM, id, 'a', 'b')) ?? '', bytes);
    await unread.refresh(redis);
    expect(unread.bytes).toBe(0);
    for (const n of [1, 2, 3, 4]) await write(`5-${n}`, MiB);
    await write('10-0', 7);
    await unread.refresh(redis);
    expect(unread.bytes).toBe(4 * MiB + 7);
    await redis.xtrim(STREAM, 'MINID', '5-3');
    await unread.refresh(redis);
    expect(unread.bytes).toBe(2 * MiB + 7);
    await redis.xtrim(STREAM, 'MINID', '10-0');
    await unread.refresh(redis);
    expect(unread.bytes).toBe(7);
    await redis.xtrim(STREAM, 'MAXLEN', 0);
    await unread.refresh(redis);
    expect(unread.bytes).toBe(0);
  });

  it('is counted in steps of a MiB, each as long as its newest entry is there', async () => {
    const unread = new UnreadReplies(STREAM);
    await redis.xadd(STREAM, '20-5', 'a', 'b');
    for (const id of ['20-1', '20-5', '20-3']) unread.add(id, MiB / 2 - 1);
    unread.add('20-4', 9);
    await unread.refresh(redis);
    expect(unread.bytes).toBe(3 * (MiB / 2 - 1) + 9);
    await redis.xtrim(STREAM, 'MINID', '20-5');
    await unread.refresh(redis);
    expect(unread.bytes).toBe(3 * (MiB / 2 - 1));
  });

  it('keeps what is written while it is looked at', async () => {
    await redis.del(STREAM);
    const unread = new UnreadReplies(STREAM);
    unread.add('1-1', MiB);
    const looked = unread.refresh(redis);
    unread.add('2-1', 5);
    await looked;
    expect(unread.bytes).toBe(5);
  });
});

it('keeps what it knows of a stream to which something was written within a minute', async () => {
  const now = vi.spyOn(performance, 'now');
  try {
    now.mockReturnValue(1_000);
    await send([1, 'x']);
    for (const name of ['second', 'third']) await redis.xadd(name, '0-1', '', '');
    now.mockReturnValue(61_000);
    await writer.send('second', 1, 'x');
    expect(writer.processes).toBe(2);
    now.mockReturnValue(61_001);
    await writer.send('third', 1, 'x');
    expect(writer.processes).toBe(2);
  } finally {
    now.mockRestore();
  }
});
