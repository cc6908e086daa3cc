import { recordsKey } from '../src/directory/records.ts';
import type { Logger } from '../src/logger.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { measureBytes } from './measure-bytes.ts';

/** Measures the bytes that workspaces keep, one after another and in the background, so that nothing waits for a large one. */
export class ByteMeasurer {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly waiting = new Set<string>();
  private isMeasuring = false;
  private isStopped = false;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
  }

  /** Queues a workspace to be measured. */
  add(workspaceId: string): void {
    this.waiting.add(workspaceId);
    if (!this.isMeasuring) void this.measureAll();
  }

  stop(): void {
    this.isStopped = true;
  }

  private async measureAll(): Promise<void> {
    this.isMeasuring = true;
    const mayGoOn = () => !this.isStopped;
    try {
      for (const id of this.waiting) {
        this.waiting.delete(id);
        // It may have waited for so long that it is erased by now.
        const isThere = mayGoOn() && (await this.redis.hexists(recordsKey('workspaces'), id)) === 1;
        if (isThere) await measureBytes(this.redis, id, { mayGoOn });
      }
    } catch (err) {
      // The workspaces are added again with their next calls.
      this.waiting.clear();
      if (mayGoOn()) this.log.warn({ err }, 'what workspaces keep was not measured; trying again later');
    }
    this.isMeasuring = false;
  }
}
