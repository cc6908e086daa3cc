import { createHash } from 'node:crypto';
import { Command } from 'ioredis';
import { mastersOf, type RedisConnection } from './connections.ts';

type Argument = string | number | Buffer;

// With fewer arguments, ioredis' own encoding is faster.
const WORDS_MANY = 32;

// The heads of short words, by length: most words are short.
const HEADS = Array.from({ length: 1_024 }, (_, length) => newHead(length));

/** A Lua script that runs by its hash; its text is sent only if the server does not have it. */
export class Script {
  readonly lua: string;
  readonly sha: string;

  constructor(lua: string) {
    this.lua = lua;
    this.sha = createHash('sha1').update(lua).digest('hex');
  }

  async run(redis: RedisConnection, keys: string[], args: Argument[]): Promise<unknown> {
    try {
      return await send(redis, 'evalsha', this.sha, keys, args);
    } catch (error) {
      if (!isNoScript(error)) throw error;
      return redis.eval(this.lua, keys.length, ...keys, ...args);
    }
  }

  /**
   * Runs the script by its text. It runs before later commands of the connection in any case: one that runs by its hash is sent again
   * behind them if the server, just started or promoted, does not have it.
   */
  runInOrder(redis: RedisConnection, keys: string[], args: Argument[]): Promise<unknown> {
    return send(redis, 'eval', this.lua, keys, args);
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

type Run = 'eval' | 'evalsha';

function send(
  redis: RedisConnection,
  name: Run,
  script: string,
  keys: string[],
  args: Argument[],
): Promise<unknown> {
  if (keys.length + args.length < WORDS_MANY && !args.some(Buffer.isBuffer)) {
    return redis[name](script, keys.length, ...keys, ...args);
  }
  const command = new EncodedRun(name, script, keys, args);
  redis.sendCommand(command);
  return command.promise;
}

/** Whether an `EVALSHA` failed because the server does not have the script. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/**
 * A run with binary or many arguments, encoded at once: ioredis would take each argument through a dozen steps. It gives ioredis only its
 * first key, which decides the node of a cluster.
 */
class EncodedRun extends Command {
  private readonly bytes: Buffer;

  constructor(name: Run, script: string, keys: string[], args: Argument[]) {
    super(name, [script, ...(keys.length > 0 ? [1, keys[0] as string] : [0])], { replyEncoding: 'utf8' });
    this.bytes = encode([name, script, keys.length], keys, args);
  }

  override toWritable(): Buffer {
    return this.bytes;
  }
}

// Encodes in the protocol of Redis.
function encode(...parts: (readonly Argument[])[]): Buffer {
  const pieces: Buffer[] = [];
  let text = `*${parts.reduce((sum, part) => sum + part.length, 0)}`;
  for (const part of parts) {
    for (const word of part) {
      if (typeof word === 'object') {
        pieces.push(Buffer.from(text + headOf(word.length)), word);
        text = '';
      } else {
        const written = `${word}`;
        text += headOf(Buffer.byteLength(written)) + written;
      }
    }
  }
  text += '\r\n';
  if (pieces.length === 0) return Buffer.from(text);
  pieces.push(Buffer.from(text));
  return Buffer.concat(pieces);
}

// The end of the line before a word, and the line with the word's length.
function headOf(length: number): string {
  return HEADS[length] ?? newHead(length);
}

function newHead(length: number): string {
  return `\r\n$${length}\r\n`;
}
