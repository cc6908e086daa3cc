import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { aliveKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/** The name that all worker processes share. It has a heartbeat while any of them runs. */
export const WORKERS = 'workers';

const BEAT_MS = 500;
const TTL_MS = 3_000;

/**
 * It may run when Redis' memory is full: a process that was suspended meanwhile would count as dead until there is room.
 *
 * KEYS 1 key of the process
 * ARGV 1 time to live (ms)
 */
const write = new Script(`#!lua flags=allow-oom
return redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
`);

/**
 * Shows other processes that this one runs. Processes with the same name share one heartbeat. If it is missing for three seconds, all of
 * them are dead or suspended.
 */
export class Heartbeat {
  private readonly redis: RedisConnection;
  private readonly key: string;
  private readonly isShared: boolean;
  private readonly log: Logger;
  private beating: Repeated | undefined;

  constructor(redis: RedisConnection, processName: string, log: Logger) {
    this.redis = redis;
    this.log = log;
    this.key = aliveKey(processName);
    this.isShared = processName === WORKERS;
  }

  async start(): Promise<void> {
    await this.beat();
    this.beating = every(BEAT_MS, () => this.beat(), {
      onFailure: (err) => this.log.warn({ err }, 'no heartbeat could be written; trying again'),
    });
  }

  async stop(): Promise<void> {
    await this.beating?.stop();
    // A key that several processes share expires by itself: without it, the others would count as dead until their next beat.
    if (this.isShared) return;
    await this.redis.unlink(this.key).catch(() => undefined);
  }

  private async beat(): Promise<void> {
    await write.run(this.redis, [this.key], [TTL_MS]);
  }
}

/** Whether any process of that name had a heartbeat in the last three seconds. */
export async function isAlive(redis: RedisConnection, processName: string): Promise<boolean> {
  return (await redis.exists(aliveKey(processName))) === 1;
}
