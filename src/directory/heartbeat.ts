import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { aliveKey } from '../redis/keys.ts';

/** The name that all worker processes share. It has a heartbeat while any of them runs. */
export const WORKERS = 'workers';

const BEAT_MS = 500;
const TTL_MS = 3_000;

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
    // A key that several processes share expires by itself: if Redis is full, the others could not write it again.
    if (this.isShared) return;
    await this.redis.unlink(this.key).catch(() => undefined);
  }

  // Redis accepts `PEXPIRE` of an existing key even when its memory is full.
  private async beat(): Promise<void> {
    if ((await this.redis.pexpire(this.key, TTL_MS)) === 1) return;
    await this.redis.set(this.key, '', 'PX', TTL_MS);
  }
}

/** Whether any process of that name had a heartbeat in the last three seconds. */
export async function isAlive(redis: RedisConnection, processName: string): Promise<boolean> {
  return (await redis.exists(aliveKey(processName))) === 1;
}
