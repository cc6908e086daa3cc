import { createHash } from 'node:crypto';
import { mastersOf, type RedisConnection } from './connections.ts';

/** A Lua script that runs by its hash and is sent whole only when the server does not have it. */
export class Script {
  readonly lua: string;
  readonly sha: string;

  constructor(lua: string) {
    this.lua = lua;
    this.sha = createHash('sha1').update(lua).digest('hex');
  }

  async run(redis: RedisConnection, keys: string[], args: (string | number | Buffer)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isNoScript(error)) throw error;
      return redis.eval(this.lua, keys.length, ...keys, ...args);
    }
  }

  /** Makes every server that can be reached hold the script, so that later runs are one command each; one of them must. */
  async load(redis: RedisConnection): Promise<void> {
    await Promise.any(mastersOf(redis).map((server) => server.script('LOAD', this.lua))).catch(
      (error: AggregateError) => {
        throw error.errors[0] ?? error;
      },
    );
  }
}

/** Whether a failed `EVALSHA` only says that the server does not hold the script. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
