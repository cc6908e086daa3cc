import type { RedisConnection } from '../redis/connections.ts';
import { TransientMap } from '../transient-map.ts';

interface Batcher<Batch> {
  begin(scope: string): Batch;
  isFull(batch: Batch): boolean;
  send(redis: RedisConnection, batch: Batch): void;
}

/**
 * Collects requests to Redis of one turn of the event loop into one command: a batch for each connection and scope (see `commandScope`),
 * sent when the turn ends. When a batch is full, the next begins.
 */
export class TurnBatches<Batch extends object> {
  private readonly batcher: Batcher<Batch>;
  private readonly open = new WeakMap<RedisConnection, TransientMap<string, Batch>>();

  constructor(batcher: Batcher<Batch>) {
    this.batcher = batcher;
  }

  /** The batch that still has room. */
  current(redis: RedisConnection, scope: string): Batch {
    const open = this.openOf(redis);
    const known = open.get(scope);
    if (known !== undefined && !this.batcher.isFull(known)) return known;
    const batch = this.batcher.begin(scope);
    open.set(scope, batch);
    process.nextTick(() => {
      if (open.get(scope) === batch) open.delete(scope);
      this.batcher.send(redis, batch);
    });
    return batch;
  }

  private openOf(redis: RedisConnection): TransientMap<string, Batch> {
    const known = this.open.get(redis);
    if (known !== undefined) return known;
    const created = new TransientMap<string, Batch>();
    this.open.set(redis, created);
    return created;
  }
}
