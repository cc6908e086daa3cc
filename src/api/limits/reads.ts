import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { RunRead } from '../../directory/lists.ts';
import type { Principal } from '../../directory/principal.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { TaskGate, type TaskOptions } from '../../task-gate.ts';
import { sizeOf, type UpdateBatch } from '../../updates/read-updates.ts';
import { AnswerThrottle } from '../server/answer-throttle.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { PacedTasks } from '../server/paced-tasks.ts';
import { SubscriberLimit } from './subscriber-limit.ts';
import { UnreadBytes } from './unread-bytes.ts';

// Long reads share one connection and one thread: more at once would only delay each other.
const AT_ONCE = 3;
const PER_KEY = 2;
const WAITING_PER_KEY = 100;

const POLLS_PER_TURN = 3;

const UNREAD_MAX = 16 * 1024 * 1024;

// Parsing an update and stringifying it takes as long as making this many bytes of an answer.
const UPDATE_BYTES = 1024;

/** Runs long reads, few at once and on a connection of their own, so that no call waits for them. */
export class Reads {
  readonly redis: RedisConnection;
  /** Counts the live reads that each key holds open. */
  readonly live: SubscriberLimit;
  /** The bytes sent to live reads and not yet taken by them. */
  readonly unread = new UnreadBytes(UNREAD_MAX);
  /** Paces the ends of long polls: an update ends thousands of them at once, and each takes a fraction of a millisecond. */
  readonly polls = new PacedTasks({ perTurn: POLLS_PER_TURN, rests: false });
  private readonly throttle = new AnswerThrottle();
  private readonly gate = new TaskGate({
    atOnce: AT_ONCE,
    perKey: PER_KEY,
    waitingPerKey: WAITING_PER_KEY,
    isResting: (tenant) => this.throttle.isAhead(tenant),
  });

  /** `redis` is used for long reads only. */
  constructor(redis: RedisConnection, config: Pick<Config, 'SUBSCRIBERS_PER_KEY'>) {
    this.redis = redis;
    this.live = new SubscriberLimit(config);
  }

  /**
   * Runs a read of at most about a MiB when its key has its turn. Rejects with `rate_limited` if too many reads of the key wait. Does not
   * run if its caller is gone.
   */
  run<T>(request: FastifyRequest, read: () => Promise<T>, options?: TaskOptions): Promise<T> {
    return this.gate.run({ ...readerOf(request.principal), signal: callerSignal(request) }, read, options);
  }

  /** Like `run`, for a read of updates. It also bounds the bytes of updates that a tenant reads per second. */
  async runPaced(
    request: FastifyRequest,
    read: () => Promise<UpdateBatch>,
    options: TaskOptions,
  ): Promise<UpdateBatch> {
    const batch = await this.run(request, read, options);
    const made = sizeOf(batch.entries) + batch.entries.length * UPDATE_BYTES;
    this.throttle.count(readerOf(request.principal).tenant, made);
    return batch;
  }

  /** Returns a function that runs reads for one request. */
  runnerOf(request: FastifyRequest): RunRead {
    return (read) => this.run(request, read);
  }
}

/** Whose turn a request takes: the root key is a tenant of its own. */
export function readerOf(principal: Principal): { tenant: string; key: string } {
  return principal.kind === 'root'
    ? { tenant: 'root', key: 'root' }
    : { tenant: principal.organizationId, key: principal.keyId };
}
