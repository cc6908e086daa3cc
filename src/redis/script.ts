import { createHash } from 'node:crypto';
import { mastersOf, type RedisConnection } from './connections.ts';

/** A Lua script that runs by its hash; its text is sent only if the server does not have it. */
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

  /** Loads the script into every server that can be reached, so that later runs take one command. Rejects if none can. */
  async load(redis: RedisConnection): Promise<void> {
    await Promise.any(mastersOf(redis).map((server) => server.script('LOAD', this.lua))).catch(
      (error: AggregateError) => {
        throw error.errors[0] ?? error;
      },
    );
  }
}

/** Whether an `EVALSHA` failed because the server does not have the script. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
