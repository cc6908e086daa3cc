import { isAlive, WORKERS } from '../../directory/heartbeat.ts';
import { every, type Repeated } from '../../every.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';

/** What is said of a call that nobody runs. */
export const NO_WORKER = 'No worker answers: start one with `npm run worker`.';

const LOOK_MS = 1_000;
// As long as a worker may take to start beside the API.
const MISSED_MAX = 5;

/** Asks once a second whether any worker is there, and logs when none has been for five seconds, and when one is again. */
export class WorkerWatch {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private missed = 0;
  private looking: Repeated | undefined;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
  }

  /** Whether no worker has been there for some seconds. While Redis cannot be asked it stays what it was. */
  get isMissing(): boolean {
    return this.missed >= MISSED_MAX;
  }

  start(): void {
    this.looking = every(LOOK_MS, () => this.look(), { onFailure: () => undefined });
  }

  stop(): void {
    void this.looking?.stop();
  }

  private async look(): Promise<void> {
    const isThere = await isAlive(this.redis, WORKERS);
    const wasMissing = this.isMissing;
    this.missed = isThere ? 0 : this.missed + 1;
    if (this.isMissing && !wasMissing)
      this.log.warn(
        'no worker answers: calls wait until one does; `npm start` starts one by itself, elsewhere `npm run worker` does',
      );
    else if (!this.isMissing && wasMissing) this.log.info('a worker answers again');
  }
}
