import type { Config } from '../config.ts';
import type { Control } from '../control/control.ts';
import type { MessengerAccount } from '../directory/collections.ts';
import type { DataWatch } from '../directory/data-watch.ts';
import type { Directory } from '../directory/directory.ts';
import type { Scaling } from '../fleet/scaling.ts';
import type { Logger } from '../logger.ts';
import type { AsyncCalls } from '../queue/async-calls.ts';
import type { Admission } from '../queue/submit/admission.ts';
import type { CallGateway } from '../queue/submit/call-gateway.ts';
import type { HeldCalls } from '../queue/submit/held-calls.ts';
import type { WorkerWatch } from '../queue/submit/worker-watch.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { RedisClock } from '../redis/clock.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { MemoryWatch } from '../redis/memory-watch.ts';
import type { Tracing } from '../tracing/trace.ts';
import type { UpdateFollower } from '../updates/follow-updates.ts';
import type { KeyClaims } from './limits/key-claims.ts';
import type { OrderGate } from './limits/order-gate.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { Reads } from './limits/reads.ts';
import type { Metrics } from './metrics.ts';

/** What a driver returns for a new messenger account. */
export interface ConnectedUser {
  userId: number;
  username: string | null;
  phone: string | null;
}

/**
 * The API's requests to workers besides calls. Each may reject with a `Problem`, and rejects with `canceled` if `signal` aborts before it
 * has begun.
 */
export interface AccountControl {
  /** Seeds a new account in its driver. */
  connectAccount(account: MessengerAccount, signal: AbortSignal): Promise<ConnectedUser>;
  /** Removes an account from its driver. Idempotent. */
  disconnectAccount(account: MessengerAccount, signal: AbortSignal): Promise<void>;
  /** Sends the driver an order for an account, such as `setFaults`. */
  control(
    account: MessengerAccount,
    action: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** The gateway that calls are submitted to. */
export type CallSubmitter = Pick<CallGateway, 'submit' | 'load' | 'processName'>;

/** Whether this process is stopping. A shared object. */
export interface Lifecycle {
  draining: boolean;
}

/** The dependencies of the app. The caller closes them. */
export interface ApiDeps {
  config: Config;
  log: Logger;
  /** The connections that requests need. */
  connections: readonly RedisConnection[];
  data: Pick<DataWatch, 'isReported' | 'losses'>;
  directory: Directory;
  control: Control;
  calls: CallSubmitter;
  held: Pick<HeldCalls, 'pass' | 'check' | 'count'>;
  admission: Pick<Admission, 'check' | 'glance' | 'holding'>;
  claims: KeyClaims;
  asyncCalls: Pick<AsyncCalls, 'accept' | 'cancel'>;
  accountControl: AccountControl;
  orders: OrderGate;
  updates: UpdateFollower;
  reads: Reads;
  webhooks: Pick<WebhookQueue, 'add' | 'hurry'>;
  clock: RedisClock;
  metrics: Metrics;
  scaling: Pick<Scaling, 'report'>;
  rateLimiter: RateLimiter;
  tracing: Tracing;
  lifecycle: Lifecycle;
  memory: Pick<MemoryWatch, 'isFull' | 'refusesWrites'>;
  workers: Pick<WorkerWatch, 'isMissing'>;
}
