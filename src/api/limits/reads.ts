import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../directory/principal.ts';
import { ReadGate, type ReadOptions } from '../../read-gate.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { SubscriberLimit } from './subscriber-limit.ts';

// They share one connection and one thread: more at once would only make each of them later.
const AT_ONCE = 3;
const PER_KEY = 2;
const WAITING_PER_KEY = 100;

/** The reads that may be long: few at once, over a connection of their own, so that calls wait for none of them. */
export class Reads {
  readonly redis: RedisConnection;
  /** What each key holds open: what waits for something to happen. */
  readonly live: SubscriberLimit;
  private readonly gate = new ReadGate({
    atOnce: AT_ONCE,
    perKey: PER_KEY,
    waitingPerKey: WAITING_PER_KEY,
  });

  /** `redis` is for such reads only. */
  constructor(redis: RedisConnection, livePerKey: number) {
    this.redis = redis;
    this.live = new SubscriberLimit(livePerKey);
  }

  /**
   * Runs a read of about a MiB at most when it is the turn of the key that asks; `rate_limited` when too many of that key wait. It
   * never runs once its caller is gone.
   */
  run<T>(request: FastifyRequest, read: () => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.gate.run({ ...readerOf(request.principal), signal: callerSignal(request) }, read, options);
  }
}

function readerOf(principal: Principal): { tenant: string; key: string } {
  return principal.kind === 'root'
    ? { tenant: 'root', key: 'root' }
    : { tenant: principal.organizationId, key: principal.keyId };
}
