import type { RedisConnection } from '../../../src/redis/connections.ts';
import { type Reservation, reserveTxids } from '../../../src/state/reserve.ts';

/** A reservation, and which of its txids is the call's. */
export interface ReservedTxid {
  index: number;
  reservation: Promise<Reservation>;
}

interface Batch {
  count: number;
  reservation: Promise<Reservation>;
}

/** Reserves txids before calls read state; calls of a workspace that begin in one turn of the event loop share a command. */
export class TxidReserver {
  private readonly redis: RedisConnection;
  private readonly batches = new Map<string, Batch>();

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  reserve(workspaceId: string): ReservedTxid {
    const batch = this.batches.get(workspaceId) ?? this.open(workspaceId);
    batch.count += 1;
    return { index: batch.count - 1, reservation: batch.reservation };
  }

  private open(workspaceId: string): Batch {
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const batch: Batch = {
      count: 0,
      reservation: turn.then(() => {
        this.batches.delete(workspaceId);
        return reserveTxids(this.redis, workspaceId, batch.count);
      }),
    };
    this.batches.set(workspaceId, batch);
    return batch;
  }
}
