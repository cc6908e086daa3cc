import { isAlive, WORKERS } from '../../directory/heartbeat.ts';
import { every, type Repeated } from '../../every.ts';
import { countWorkers } from '../../fleet/fleet.ts';
import type { Logger } from '../../logger.ts';
import type { RedisConnection } from '../../redis/connections.ts';

/** The detail of a refused call while no worker answers. */
export const NO_WORKER = 'No worker answers: start one with `npm run worker`.';

const LOOK_MS = 1_000;
// A worker that starts together with the API may take this many seconds.
const MISSED_MAX = 5;

/** Looks once a second which workers there are. Logs when none has been alive for five seconds, and when one is back. */
export class WorkerWatch {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private missed = 0;
  private found = 0;
  private looking: Repeated | undefined;

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
  }

  /** Whether no worker has been alive for a few seconds. Unchanged while Redis cannot be asked. */
  get isMissing(): boolean {
    return this.missed >= MISSED_MAX;
  }

  /** How many workers take calls. Unchanged while Redis cannot be asked. */
  get count(): number {
    return this.found;
  }

  start(): void {
    this.looking = every(LOOK_MS, () => this.look(), { onFailure: () => undefined });
  }

  stop(): void {
    void this.looking?.stop();
  }

  private async look(): Promise<void> {
    const [isAnyAlive, count] = await Promise.all([isAlive(this.redis, WORKERS), countWorkers(this.redis)]);
    this.found = count;
    const wasMissing = this.isMissing;
    this.missed = isAnyAlive ? 0 : this.missed + 1;
    if (this.isMissing && !wasMissing)
      this.log.warn(
        'no worker answers: calls wait until one does; `npm start` starts one by itself, elsewhere `npm run worker` does',
      );
    else if (!this.isMissing && wasMissing) this.log.info('a worker answers again');
  }
}
