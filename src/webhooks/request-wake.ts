import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { type LineOwner, lineKey } from './line-keys.ts';

/**
 * KEYS 1 state
 * ARGV fields to raise
 * Result: 1, or 0 when the webhook is gone.
 *
 * It may run when Redis' memory is full: it writes little, and a sweep finds the request once there is room for a job.
 */
export const recordWake = new Script(`#!lua flags=allow-oom
if redis.call('HEXISTS', KEYS[1], 'position') == 0 then return 0 end
for i = 1, #ARGV do redis.call('HINCRBY', KEYS[1], ARGV[i], 1) end
return 1
`);

/** Records that a retry at once was asked for, so that an attempt under way that fails does not put it off. */
export async function recordAsked(redis: RedisConnection, owner: LineOwner): Promise<void> {
  await recordWake.run(redis, [lineKey(owner, 'state')], ['asked']);
}

/**
 * Requests a retry of every line of a webhook, whatever it waits for, and with `aside` also of deliveries put aside. The request is
 * recorded in Redis, so that concurrent requests are served together.
 */
export async function requestWake(
  redis: RedisConnection,
  queue: Pick<WebhookQueue, 'add' | 'hurry'>,
  owner: LineOwner,
  { aside }: { aside: boolean },
): Promise<void> {
  const recorded = await recordWake.run(
    redis,
    [lineKey(owner, 'state')],
    aside ? ['wake', 'wakeAside', 'asked'] : ['wake'],
  );
  if (recorded !== 1) return;
  const job = { what: 'wake', workspaceId: owner.workspaceId, webhookId: owner.id } as const;
  // One that successes have asked for may wait for minutes.
  await (aside ? queue.hurry(job) : queue.add(job));
}
