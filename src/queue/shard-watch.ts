import { getQueueShards } from '../directory/queue-shards.ts';
import type { RedisConnection } from '../redis/connections.ts';

const LOOK_EVERY_MS = 5_000;

/** Keeps a process up to date on over how many shards calls are spread. */
export class ShardWatch {
  private readonly redis: RedisConnection;
  private readonly onCount: (count: number) => void;
  private timer: NodeJS.Timeout | undefined;

  /** `onCount` hears the number at the start and every few seconds. */
  constructor(redis: RedisConnection, onCount: (count: number) => void) {
    this.redis = redis;
    this.onCount = onCount;
  }

  /** Looks for the first time; what fails later is tried again. */
  async start(): Promise<void> {
    await this.look();
    this.timer = setInterval(() => this.look().catch(() => undefined), LOOK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    this.onCount(await getQueueShards(this.redis));
  }
}
