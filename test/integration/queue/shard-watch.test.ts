import { expect, it, onTestFinished, vi } from 'vitest';
import { raiseQueueShards } from '../../../src/directory/queue-shards.ts';
import { openLogger } from '../../../src/logger.ts';
import { ShardWatch } from '../../../src/queue/shard-watch.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { startTestRedis } from '../../support/redis/redis.ts';

const POLL_MS = 5_000;

it('tells the number of shards at the start, and again every five seconds until it stops', async () => {
  const server = await startTestRedis();
  onTestFinished(server.stop);
  const redis = openRedis(server.url, 'worker', () => undefined);
  onTestFinished(() => redis.disconnect());
  await untilReady(redis);
  const told: number[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const watch = new ShardWatch(redis, openLogger({ LOG_LEVEL: 'silent' }, 'test'), (count) =>
      told.push(count),
    );
    await watch.start();
    await raiseQueueShards(redis, 3);
    for (const count of [2, 3]) {
      vi.advanceTimersByTime(POLL_MS);
      while (told.length < count) await untilAnswered(redis);
      // The next pause begins then.
      await untilAnswered(redis);
    }
    watch.stop();
    vi.advanceTimersByTime(POLL_MS);
    await untilAnswered(redis);
    expect(told).toEqual([1, 3, 3]);
  } finally {
    vi.useRealTimers();
  }
});

/** Waits until all commands that a turn of the event loop sends are answered, in their order. */
async function untilAnswered(redis: RedisConnection): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await redis.ping();
}
