import { Queue } from 'bullmq';
import type { CallPlace } from '../async-calls/attempt-call.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { JOB_OPTIONS } from './queues.ts';
import { WIRE_VERSION } from './wire.ts';

/** The queue of the calls that nobody waits for; apart from the others, so that however many they are nobody waits for them. */
export const BACKGROUND_QUEUE = 'calls-background';

/** It has few jobs at a time, and so needs no further shards. */
export const BACKGROUND_SHARD = 0;

/** What a job of it carries: which call is meant. All else lies in the workspace's own slot. */
export interface BackgroundJob extends CallPlace {
  v: number;
}

/** Adds jobs for recorded calls; once more for the same call does no harm. */
export class BackgroundQueue {
  private readonly queue: Queue<BackgroundJob, void, 'call'>;

  constructor(connection: RedisConnection) {
    this.queue = openBackgroundQueue(connection);
  }

  async add(places: CallPlace[]): Promise<void> {
    if (places.length === 0) return;
    await this.queue.addBulk(
      places.map((place) => ({
        name: 'call' as const,
        data: { v: WIRE_VERSION, ...place },
        opts: { ...JOB_OPTIONS, jobId: place.callId },
      })),
    );
  }

  async close(): Promise<void> {
    await this.queue.close();
  }
}

/** Opens the queue itself, to be closed. */
export function openBackgroundQueue(connection: RedisConnection): Queue<BackgroundJob, void, 'call'> {
  const queue = new Queue<BackgroundJob, void, 'call'>(BACKGROUND_QUEUE, {
    connection,
    prefix: queuePrefix(BACKGROUND_SHARD),
    streams: { events: { maxLen: 100 } },
  });
  // Whoever opened the connection hears of its failures.
  queue.on('error', () => undefined);
  return queue;
}
