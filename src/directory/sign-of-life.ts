import type { RedisConnection } from '../redis/connections.ts';
import { aliveKey } from '../redis/keys.ts';

const SIGN_MS = 500;
const GOOD_FOR_MS = 3_000;

/** Shows other processes that this one runs: whoever has shown nothing for three seconds has ended, or sleeps. */
export class SignOfLife {
  private readonly redis: RedisConnection;
  private readonly key: string;
  private timer: NodeJS.Timeout | undefined;

  constructor(redis: RedisConnection, processName: string) {
    this.redis = redis;
    this.key = aliveKey(processName);
  }

  async start(): Promise<void> {
    await this.show();
    this.timer = setInterval(() => this.show().catch(() => undefined), SIGN_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
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
