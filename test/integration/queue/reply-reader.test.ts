import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReplyWriter } from '../../../src/queue/consume/reply-writer.ts';
import { encodeFrame, type Reply } from '../../../src/queue/frame.ts';
import { ReplyReader } from '../../../src/queue/submit/reply-reader.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const frameOf = (text: string) => encodeFrame(200, '', text);

let server: TestRedis;
let commands: RedisConnection;
let blocking: RedisConnection;
let reader: ReplyReader;
let read: [number, string][];
/** The numbers of the calls that were moved to the slow lane. */
let moved: number[];
/** The numbers of the calls that have cost more than one permit, and their costs. */
let weighed: [number, number][];
let onReply: (callNumber: number, reply: Reply) => void;

beforeEach(async () => {
  server = await startTestRedis();
  commands = openRedis(server.url, 'worker', () => undefined);
  await untilReady(commands);
  [read, moved, weighed] = [[], [], []];
  onReply = (number, { body }) => read.push([number, body]);
  blocking = openRedis(server.url, 'blocking', () => undefined);
  reader = new ReplyReader(
    'boot',
    { commands, blocking },
    {
      answer: (number, reply, note) => {
        if (note?.cost !== undefined) weighed.push([number, note.cost]);
        onReply(number, reply);
      },
      move: (number) => void moved.push(number),
    },
  );
  await reader.start();
});

afterEach(async () => {
  await reader.stop();
  commands.disconnect();
  await server.stop();
});

it('gives each reply of an entry, and those that lie under keys of their own', async () => {
  await commands.set('large', frameOf('three'));
  await commands.xadd(reader.streamKey, '*', '1', frameOf('one'), '2', frameOf('two'), '3', '@large');
  await eventually(() => read.length === 3);
  expect(read).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
  await eventually(async () => (await commands.exists('large')) === 0);
});

it('gets replies again within seconds after its stream has expired, as the clock of Redis was set ahead', async () => {
  await commands.unlink(reader.streamKey);
  // Much sooner than it would expire.
  await eventually(async () => (await commands.exists(reader.streamKey)) === 1, { timeoutMs: 5_000 });
  await new ReplyWriter(commands).send(reader.streamKey, 1, frameOf('one'));
  await eventually(() => read.length === 1);
});

it('says which calls were moved to the slow lane, as workers write it, before their replies come', async () => {
  const writer = new ReplyWriter(commands);
  await Promise.all([
    writer.send(reader.streamKey, 1, frameOf('one')),
    writer.noteMoved(reader.streamKey, 2),
    writer.noteMoved(reader.streamKey, 3),
  ]);
  await eventually(() => moved.length === 2);
  expect([read, moved]).toEqual([[[1, 'one']], [2, 3]]);
  await writer.send(reader.streamKey, 3, frameOf('three'));
  await eventually(() => read.length === 2);
  expect(moved).toHaveLength(2);
});

it('says what calls have cost, as workers write it, with small and with large replies', async () => {
  const writer = new ReplyWriter(commands);
  await Promise.all([
    writer.send(reader.streamKey, 1, frameOf('one'), { cost: 5 }),
    writer.send(reader.streamKey, 2, frameOf('two')),
    writer.send(reader.streamKey, 3, frameOf('x'.repeat(50_000)), { cost: 7, ranUntil: 1 }),
  ]);
  await eventually(() => read.length === 3);
  expect(weighed).toEqual([
    [1, 5],
    [3, 7],
  ]);
});

it('gives small replies that come behind a large one while that is fetched, and leaves its entry until then', async () => {
  const get = commands.get.bind(commands);
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let failures = 1;
  vi.spyOn(commands, 'get').mockImplementation((async (key: string) => {
    await held;
    failures -= 1;
    if (failures === 0) throw new Error('not now');
    return get(key);
  }) as typeof commands.get);
  await commands.set('large', frameOf('large'));
  const entry = await commands.xadd(reader.streamKey, '*', '1', '@large');
  const small = frameOf('x'.repeat(1024 * 1024));
  for (const n of [2, 3]) {
    await commands.xadd(reader.streamKey, '*', String(n), small);
    await eventually(() => read.length === n - 1);
  }
  expect((await commands.xrange(reader.streamKey, '-', '+'))[0]?.[0]).toBe(entry);
  letGo();
  await eventually(() => read.length === 3);
  expect(read[2]).toEqual([1, 'large']);
  await eventually(async () => (await commands.xlen(reader.streamKey)) === 0);
});

it('gives each large reply once, also one that comes while another is fetched', async () => {
  const get = commands.get.bind(commands);
  const asked: string[] = [];
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  vi.spyOn(commands, 'get').mockImplementation((async (key: string) => {
    asked.push(key);
    await held;
    return get(key);
  }) as typeof commands.get);
  for (const n of [1, 2]) {
    await commands.set(`large-${n}`, frameOf(`large ${n}`));
    await commands.xadd(reader.streamKey, '*', String(n), `@large-${n}`, String(10 + n), frameOf('small'));
    await eventually(() => read.length === n);
  }
  expect(asked).toEqual(['large-1']);
  letGo();
  await eventually(() => read.length >= 4);
  expect(asked).toEqual(['large-1', 'large-2']);
  expect(read.map(([number]) => number)).toEqual([11, 12, 1, 2]);
});

it('reads a reply that comes between reading and trimming', async () => {
  const trim = commands.xtrim.bind(commands) as (...args: unknown[]) => Promise<number>;
  let trims = 0;
  let late = 0;
  vi.spyOn(commands, 'xtrim').mockImplementation((async (...args: unknown[]) => {
    trims += 1;
    // After the reader has read the stream, and before Redis trims it.
    if (trims <= 3) {
      late += 1;
      await commands.xadd(reader.streamKey, '*', String(10_000 + late), frameOf('late'));
    }
    return trim(...args);
  }) as typeof commands.xtrim);
  for (let n = 0; n < 3; n += 1) {
    const body = frameOf('x'.repeat(1024 * 1024));
    await commands.xadd(reader.streamKey, '*', String(n), body);
    await eventually(() => trims > n);
  }
  await eventually(() => read.filter(([, body]) => body === 'late').length === 3);
  expect(new Set(read.map(([number]) => number)).size).toBe(read.length);
});

it('reads again what it could not hand on', async () => {
  const handOn = onReply;
  let failures = 2;
  onReply = (number, reply) => {
    failures -= 1;
    if (failures >= 0) throw new Error('not now');
    handOn(number, reply);
  };
  await commands.xadd(reader.streamKey, '*', '1', frameOf('one'));
  await eventually(() => read.length === 1);
  expect(failures).toBe(-1);
});

it('goes on at once with a stream that was lost and made again, though the clock is behind', async () => {
  await commands.xadd(reader.streamKey, '9999999999999-0', '1', frameOf('before'));
  await eventually(() => read.length === 1);
  await commands.flushall();
  await reader.keepAlive();
  await commands.xadd(reader.streamKey, '*', '2', frameOf('after'));
  await eventually(() => read.length === 2, { timeoutMs: 4_000 });
  expect(read.at(-1)).toEqual([2, 'after']);
});

it('reads the replies of a server that it fails over to, which has lost the last one and whose clock is behind', async () => {
  await commands.xadd(reader.streamKey, '9999999999999-7', '1', frameOf('before'));
  await eventually(() => read.length === 1);
  // In one go: the reader may make the stream again, with a later id, once it is gone.
  await commands
    .multi()
    .del(reader.streamKey)
    .xadd(reader.streamKey, '5-0', '2', frameOf('meanwhile'))
    .exec();
  (commands as Redis).disconnect(true);
  await eventually(() => read.length === 2, { timeoutMs: 4_000 });
  await commands.xadd(reader.streamKey, '*', '3', frameOf('after'));
  await eventually(() => read.length === 3, { timeoutMs: 4_000 });
  expect(read.slice(1)).toEqual([
    [2, 'meanwhile'],
    [3, 'after'],
  ]);
});

it('makes its stream again as soon as it is connected', async () => {
  await commands.del(reader.streamKey);
  (commands as Redis).disconnect(true);
  await eventually(async () => (await commands.exists(reader.streamKey)) === 1, { timeoutMs: 4_000 });
});

it('takes the stream away when it stops, so that nobody writes to it any more', async () => {
  await reader.stop();
  expect(await commands.exists(reader.streamKey)).toBe(0);
});

it('trims its stream once it has read two thousand replies, and not before', async () => {
  const trims = vi.spyOn(commands, 'xtrim');
  const add = async (from: number, count: number) => {
    const adding = commands.pipeline();
    for (let n = from; n < from + count; n += 1) adding.xadd(reader.streamKey, '*', String(n), frameOf('x'));
    await adding.exec();
    await eventually(() => read.length === from + count);
  };
  // The first entry of a stream is none of a reply.
  await add(0, 1_998);
  await commands.ping();
  expect(trims).not.toHaveBeenCalled();
  await add(1_998, 1);
  await eventually(async () => (await commands.xlen(reader.streamKey)) === 0);
  expect(trims).toHaveBeenCalledOnce();
  await add(1_999, 10);
  expect(trims).toHaveBeenCalledOnce();
});

it('trims its stream by the bytes of replies, of those apart too', async () => {
  const trims = vi.spyOn(commands, 'xtrim');
  const large = frameOf('x'.repeat(600 * 1024));
  for (const n of [1, 2]) {
    await commands.set(`large-${n}`, large);
    await commands.xadd(reader.streamKey, '*', String(n), `@large-${n}`);
  }
  // Something comes all the time: it is not trimmed for want of that.
  let [small, trimmed] = [0, false];
  await eventually(async () => {
    trimmed = trims.mock.calls.length > 0;
    small += 1;
    if (!trimmed) await commands.xadd(reader.streamKey, '*', String(100 + small), frameOf('x'));
    return trimmed;
  });
  expect(small).toBeLessThan(1_000);
});

it('trims its stream when all that lies apart is fetched, though nothing more comes', async () => {
  const xread = blocking.xread.bind(blocking) as (...args: unknown[]) => Promise<unknown>;
  let end: (error: Error) => void = () => undefined;
  const silence = new Promise<never>((_, reject) => {
    end = reject;
  });
  let hasCome = false;
  vi.spyOn(blocking, 'xread').mockImplementation((async (...args: unknown[]) => {
    if (hasCome) return silence;
    const answer = await xread(...args);
    hasCome = JSON.stringify(answer).includes('@large');
    return answer;
  }) as typeof blocking.xread);
  await commands.xadd(reader.streamKey, '*', '1', frameOf('one'));
  await eventually(() => read.length === 1);
  await commands.set('large', frameOf('x'.repeat(20_000)));
  await commands.xadd(reader.streamKey, '*', '2', '@large');
  await eventually(() => read.length === 2);
  await eventually(async () => (await commands.xlen(reader.streamKey)) === 0);
  end(new Error('over'));
});

it('trims its stream later if Redis refuses that, though nothing more comes', async () => {
  const trims = vi.spyOn(commands, 'xtrim').mockRejectedValueOnce(new Error('NOREPLICAS'));
  await commands.set('large', frameOf('x'.repeat(20_000)));
  await commands.xadd(reader.streamKey, '*', '1', '@large');
  await eventually(() => read.length === 1);
  await eventually(async () => (await commands.xlen(reader.streamKey)) === 0);
  expect(trims).toHaveBeenCalledTimes(2);
});

it('trims its stream when nothing more comes', async () => {
  await commands.xadd(reader.streamKey, '*', '1', frameOf('one'));
  await eventually(() => read.length === 1);
  expect(await commands.xlen(reader.streamKey)).toBe(2);
  await eventually(async () => (await commands.xlen(reader.streamKey)) === 0);
  await commands.xadd(reader.streamKey, '*', '2', frameOf('two'));
  await eventually(() => read.length === 2);
});
