import { DELETIONS, DELETIONS_DUE } from '../../../src/directory/deletions.ts';
import { openLogger } from '../../../src/logger.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { Eraser } from '../../../workers/deletion/eraser.ts';
import { eventually } from '../eventually.ts';

/** Has everything erased that was deleted, as if all that was under way then had ended. */
export async function eraseDeleted(redis: RedisConnection): Promise<void> {
  await endWhatIsUnderWay(redis);
  const eraser = new Eraser(redis, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  eraser.start({ everyMs: 5 });
  await eventually(async () => (await redis.hlen(DELETIONS)) + (await redis.zcard(DELETIONS_DUE)) === 0);
  await eraser.stop();
}

/** Has deletions know that nothing is under way any more that could add to what they erase. */
export async function endWhatIsUnderWay(redis: RedisConnection): Promise<void> {
  for (const [id, text] of Object.entries(await redis.hgetall(DELETIONS))) {
    await redis.hset(DELETIONS, id, JSON.stringify({ ...JSON.parse(text), overAt: 0 }));
    await redis.zadd(DELETIONS_DUE, 'XX', 0, id);
  }
}
