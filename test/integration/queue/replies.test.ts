import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ReplyWriter, UNREAD_MAX } from '../../../src/queue/consume/reply-writer.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import { ReplyReader } from '../../../src/queue/submit/reply-reader.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const MiB = 1024 * 1024;
const FRAME = encodeFrame(200, '', 'x'.repeat(15_000));
const LARGE = encodeFrame(200, '', 'x'.repeat(100_000));

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  await untilReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function openReader(name: string) {
  const blocking = openRedis(server.url, 'blocking', () => undefined);
  const read: number[] = [];
  const reader = new ReplyReader(
    name,
    { commands: redis, blocking },
    {
      answer: (number) => void read.push(number),
      move: () => undefined,
    },
  );
  return { reader, read };
}

async function bytesOf(stream: string): Promise<number> {
  const keys = [stream, ...(await redis.keys(`${stream}:*`))];
  const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

it('removes replies as they are read, large ones too', async () => {
  const { reader, read } = openReader('quick');
  await reader.start();
  const writer = new ReplyWriter(redis);
  let most = 0;
  for (let round = 0; round < 40; round += 1) {
    const frames = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? FRAME : LARGE));
    await Promise.all(frames.map((frame, i) => writer.send(reader.streamKey, round * 30 + i, frame)));
    await eventually(() => read.length === (round + 1) * 30);
    most = Math.max(most, await bytesOf(reader.streamKey));
  }
  expect(new Set(read).size).toBe(1_200);
  expect(most).toBeLessThan(6 * MiB);
  await reader.stop();
});

it('gives small replies before large ones that were read with them', async () => {
  const { reader, read } = openReader('mixed');
  await redis.xadd(reader.streamKey, '*', '', '');
  const writer = new ReplyWriter(redis);
  for (let i = 0; i < 4; i += 1) await writer.send(reader.streamKey, i, i < 3 ? LARGE : FRAME);
  await reader.start();
  await eventually(() => read.length === 4);
  expect(read).toEqual([3, 0, 1, 2]);
  await reader.stop();
});

it('writes only so much ahead of a process that reads nothing, and goes on when it reads again', async () => {
  const { reader, read } = openReader('asleep');
  await redis.xadd(reader.streamKey, '*', '', '');
  const stalled: string[] = [];
  const writer = new ReplyWriter(redis, (stream) => stalled.push(stream));
  const count = Math.ceil((3 * UNREAD_MAX) / FRAME.length);
  for (let i = 0; i < count; i += 1) await writer.send(reader.streamKey, i, FRAME);
  expect(stalled).toEqual([reader.streamKey]);
  expect(await bytesOf(reader.streamKey)).toBeLessThan(1.2 * UNREAD_MAX);

  // Others have their replies meanwhile.
  const other = openReader('awake');
  await other.reader.start();
  await writer.send(other.reader.streamKey, 1, FRAME);
  await other.reader.stop();

  await reader.start();
  await eventually(() => read.length > 0 && bytesOf(reader.streamKey).then((bytes) => bytes < 2 * MiB));
  await writer.send(reader.streamKey, count, FRAME);
  await eventually(() => read.at(-1) === count);
  await reader.stop();
});

it('forgets processes that it has written nothing to for a minute', async () => {
  const writer = new ReplyWriter(redis);
  const [ended, busy, begun] = ['ended', 'busy', 'begun'].map((name) => `replies-of-${name}`) as [
    string,
    string,
    string,
  ];
  for (const stream of [ended, busy, begun]) await redis.xadd(stream, '*', '', '');
  for (const stream of [ended, busy]) await writer.send(stream, 1, FRAME);
  expect(writer.processes).toBe(2);
  const startedAt = performance.now();
  const now = vi.spyOn(performance, 'now');
  now.mockReturnValue(startedAt + 40_000);
  await writer.send(busy, 2, FRAME);
  now.mockReturnValue(startedAt + 70_000);
  await writer.send(begun, 1, FRAME);
  now.mockRestore();
  expect(writer.processes).toBe(2);
});
