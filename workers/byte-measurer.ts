import { setTimeout as sleep } from 'node:timers/promises';
import { recordsKey } from '../src/directory/records.ts';
import type { Logger } from '../src/logger.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { EVERY_MS, measureBytes } from './measure-bytes.ts';

const AFTER_FAILURE_MS = 500;

/** Measures the bytes that workspaces keep, one after another and in the background, so that nothing waits for a large one. */
export class ByteMeasurer {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  /** Workspaces, and the least age (ms) of the last measurement of each. */
  private readonly waiting = new Map<string, number>();
  private isMeasuring = false;
  private isStopped = false;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
  }

  /** Queues a workspace to be measured, unless some process has done so within `everyMs`, or five seconds if it is nearly full. */
  add(workspaceId: string, everyMs = EVERY_MS): void {
    this.waiting.set(workspaceId, Math.min(everyMs, this.waiting.get(workspaceId) ?? everyMs));
    if (!this.isMeasuring) void this.measureAll();
  }

  stop(): void {
    this.isStopped = true;
  }

  private async measureAll(): Promise<void> {
    this.isMeasuring = true;
    for (const [id, everyMs] of this.waiting) {
      if (this.isStopped) break;
      this.waiting.delete(id);
      // One that fails is added again with its next call. The others may make none.
      await this.measure(id, everyMs).catch((err: unknown) => this.rest(id, err));
    }
    this.isMeasuring = false;
  }

  private async measure(id: string, everyMs: number): Promise<void> {
    // It may have waited for so long that it is erased by now.
    if ((await this.redis.hexists(recordsKey('workspaces'), id)) === 0) return;
    await measureBytes(this.redis, id, { everyMs, mayGoOn: () => !this.isStopped });
  }

  // Redis may not be able to measure anything for a while.
  private async rest(workspaceId: string, err: unknown): Promise<void> {
    if (this.isStopped) return;
    this.log.warn({ err, workspaceId }, 'what a workspace keeps was not measured; trying again later');
    await sleep(AFTER_FAILURE_MS, undefined, { ref: false });
  }
}
