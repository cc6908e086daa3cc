import type { FastifyRequest } from 'fastify';
import type { RunRead } from '../../directory/lists.ts';
import type { Principal } from '../../directory/principal.ts';
import { ReadGate, type ReadOptions } from '../../read-gate.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import type { UpdateBatch } from '../../updates/read-updates.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { MakingTurns } from '../server/making-turns.ts';
import { sizeOfBatch } from '../updates/update-events.ts';
import { SubscriberLimit } from './subscriber-limit.ts';
import { UnreadBytes } from './unread-bytes.ts';

// They share one connection and one thread; more at once would only delay each.
const AT_ONCE = 3;
const PER_KEY = 2;
const WAITING_PER_KEY = 100;

const UNREAD_MAX = 16 * 1024 * 1024;

// To parse an update and write it as JSON takes as long as to make an answer with so many bytes more.
const UPDATE_BYTES = 1024;

/** Long reads: few at once, on a connection of their own, so that no call waits for them. */
export class Reads {
  readonly redis: RedisConnection;
  /** The live reads that each key holds open. */
  readonly live: SubscriberLimit;
  /** What live reads were sent and have not taken. */
  readonly unread = new UnreadBytes(UNREAD_MAX);
  private readonly turns = new MakingTurns();
  private readonly gate = new ReadGate({
    atOnce: AT_ONCE,
    perKey: PER_KEY,
    waitingPerKey: WAITING_PER_KEY,
    isResting: (tenant) => this.turns.isAhead(tenant),
  });

  /** `redis` is used for long reads only. */
  constructor(redis: RedisConnection, livePerKey: number) {
    this.redis = redis;
    this.live = new SubscriberLimit(livePerKey);
  }

  /**
   * Runs a read of at most about a MiB in the turn of its key. Rejects with `rate_limited` if too many of the key wait. It
   * does not run once its caller is gone.
   */
  run<T>(request: FastifyRequest, read: () => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.gate.run({ ...readerOf(request.principal), signal: callerSignal(request) }, read, options);
  }

  /** The same for updates: what a tenant reads of them in a second is bounded. */
  async runPaced(
    request: FastifyRequest,
    read: () => Promise<UpdateBatch>,
    options: ReadOptions,
  ): Promise<UpdateBatch> {
    const batch = await this.run(request, read, options);
    const made = sizeOfBatch(batch) + batch.entries.length * UPDATE_BYTES;
    this.turns.note(readerOf(request.principal).tenant, made);
    return batch;
  }

  /** Runs the reads of one request one after the other. */
  runnerOf(request: FastifyRequest): RunRead {
    return (read) => this.run(request, read);
  }
}

function readerOf(principal: Principal): { tenant: string; key: string } {
  return principal.kind === 'root'
    ? { tenant: 'root', key: 'root' }
    : { tenant: principal.organizationId, key: principal.keyId };
}
