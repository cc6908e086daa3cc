import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { aliveKey } from '../redis/keys.ts';

const SIGN_MS = 500;
const GOOD_FOR_MS = 3_000;

/** Shows other processes that this one runs: whoever has shown nothing for three seconds has ended, or sleeps. */
export class SignOfLife {
  private readonly redis: RedisConnection;
  private readonly key: string;
  private readonly log: Logger;
  private showing: Repeated | undefined;

  constructor(redis: RedisConnection, processName: string, log: Logger) {
    this.redis = redis;
    this.log = log;
    this.key = aliveKey(processName);
  }

  async start(): Promise<void> {
    await this.show();
    this.showing = every(SIGN_MS, () => this.show(), {
      onFailure: (err) => this.log.warn({ err }, 'this process could not show that it runs; trying again'),
    });
  }

  async stop(): Promise<void> {
    await this.showing?.stop();
    await this.redis.unlink(this.key).catch(() => undefined);
  }

  // What is there can be renewed also when Redis' memory is full.
  private async show(): Promise<void> {
    if ((await this.redis.pexpire(this.key, GOOD_FOR_MS)) === 1) return;
    await this.redis.set(this.key, '', 'PX', GOOD_FOR_MS);
  }
}

/** Whether a process has lately shown that it runs. */
export async function isAlive(redis: RedisConnection, processName: string): Promise<boolean> {
  return (await redis.exists(aliveKey(processName))) === 1;
}
