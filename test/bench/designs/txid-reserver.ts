import type { RedisConnection } from '../../../src/redis/connections.ts';
import { type Reservation, reserveTxids } from '../../../src/state/reserve.ts';

/** A call's own txid, and the reservation it is of. */
export interface ReservedTxid {
  txid: number;
  reservation: Promise<Reservation>;
}

interface Gathering {
  count: number;
  reservation: Promise<Reservation>;
}

/** Reserves txids before calls read state; calls of a workspace that begin in one turn of the event loop share a command. */
export class TxidReserver {
  private readonly redis: RedisConnection;
  private readonly gathering = new Map<string, Gathering>();

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  async reserve(workspaceId: string): Promise<ReservedTxid> {
    const gathering = this.gathering.get(workspaceId) ?? this.open(workspaceId);
    const place = gathering.count;
    gathering.count += 1;
    const { first } = await gathering.reservation;
    return { txid: first + place, reservation: gathering.reservation };
  }

  private open(workspaceId: string): Gathering {
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const gathering: Gathering = {
      count: 0,
      reservation: turn.then(() => {
        this.gathering.delete(workspaceId);
        return reserveTxids(this.redis, workspaceId, gathering.count);
      }),
    };
    this.gathering.set(workspaceId, gathering);
    return gathering;
  }
}
