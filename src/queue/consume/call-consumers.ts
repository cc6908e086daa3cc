import { SERVED_VERSIONS } from '../wire.ts';
import { type CallConsumer, type ConsumerOptions, consumeShard } from './consume-shard.ts';

/** Takes jobs of all served wire versions from all lanes of all shards. */
export class CallConsumers implements CallConsumer {
  private readonly options: ConsumerOptions;
  private readonly shards: ReadonlyMap<number, CallConsumer>[] = [];
  private closing = false;

  constructor(options: ConsumerOptions) {
    this.options = options;
  }

  /** Takes jobs from at least `count` shards. It never stops consuming a shard, so that no job is left behind there. */
  grow(count: number): void {
    while (!this.closing && this.shards.length < count) {
      const shard = this.shards.length;
      this.shards.push(new Map(SERVED_VERSIONS.map((v) => [v, consumeShard(this.options, shard, v)])));
    }
  }

  async close(graceMs: number): Promise<void> {
    this.closing = true;
    const consumers = this.shards.flatMap((versions) => [...versions.values()]);
    await Promise.all(consumers.map((consumer) => consumer.close(graceMs)));
  }
}
