import type { RedisConnection } from '../redis/connections.ts';
import { TransientMap } from '../transient-map.ts';

const INLINE_MAX = 64 * 1024;
const LARGE_TTL_MS = 60_000;

interface Pending {
  fields: string[];
  written: Promise<void>;
}

/** Writes replies to the reply streams of API processes; what is ready in one turn of the event loop goes out together. */
export class ReplyWriter {
  private readonly redis: RedisConnection;
  private readonly pending = new TransientMap<string, Pending>();

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /** Sends one call's reply; resolves once Redis holds it. A stream that is gone (its process ended) is left alone. */
  send(stream: string, callNumber: number, frame: string): Promise<void> {
    const pending = this.pending.get(stream) ?? this.open(stream);
    pending.fields.push(String(callNumber), frame);
    return pending.written;
  }

  private open(stream: string): Pending {
    const fields: string[] = [];
    const written = new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        this.pending.delete(stream);
        this.write(stream, fields).then(resolve, reject);
      });
    });
    const pending = { fields, written };
    this.pending.set(stream, pending);
    return pending;
  }

  private async write(stream: string, fields: string[]): Promise<void> {
    for (let i = 1; i < fields.length; i += 2) {
      const frame = fields[i] as string;
      if (frame.length <= INLINE_MAX) continue;
      const key = `${stream}:${fields[i - 1]}`;
      await this.redis.set(key, frame, 'PX', LARGE_TTL_MS);
      fields[i] = `@${key}`;
    }
    await this.redis.xadd(stream, 'NOMKSTREAM', '*', ...fields);
  }
}
