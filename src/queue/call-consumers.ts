import { type CallConsumer, type ConsumerOptions, consumeShard } from './consume-shard.ts';
import { shardOf } from './shards.ts';
import type { CallBatch, WireCall } from './wire.ts';

/** Takes jobs from all lanes of all shards there are. */
export class CallConsumers implements CallConsumer {
  private readonly options: ConsumerOptions;
  private readonly shards: CallConsumer[] = [];
  private closing = false;

  constructor(options: ConsumerOptions) {
    this.options = options;
  }

  /** Takes jobs from so many shards at least; from one that it has begun with it goes on, so that nothing is left there. */
  grow(count: number): void {
    while (!this.closing && this.shards.length < count)
      this.shards.push(consumeShard(this.options, this.shards.length));
  }

  async close(graceMs: number): Promise<void> {
    this.closing = true;
    await Promise.all(this.shards.map((shard) => shard.close(graceMs)));
  }

  async moveToSlow(batch: CallBatch, call: WireCall): Promise<void> {
    await this.shards[shardOf(call.workspaceId, this.shards.length)]?.moveToSlow(batch, call);
  }
}
