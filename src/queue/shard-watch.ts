import { getQueueShards } from '../directory/queue-shards.ts';
import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';

const POLL_MS = 5_000;

/** Watches the number of shards that calls are spread over. */
export class ShardWatch {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly onCount: (count: number) => void;
  private polling: Repeated | undefined;

  /** `onCount` is called with the number at the start and every few seconds. */
  constructor(redis: RedisConnection, log: Logger, onCount: (count: number) => void) {
    this.redis = redis;
    this.log = log;
    this.onCount = onCount;
  }

  /** Reads the number for the first time; rejects if that fails. Later failures are retried. */
  async start(): Promise<void> {
    await this.check();
    this.polling = every(POLL_MS, () => this.check(), {
      onFailure: (err) => this.log.warn({ err }, 'the number of queue shards was not read; trying again'),
    });
  }

  stop(): void {
    void this.polling?.stop();
  }

  private async check(): Promise<void> {
    this.onCount(await getQueueShards(this.redis));
  }
}
