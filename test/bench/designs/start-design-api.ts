import { buildApp } from '../../../src/api/app.ts';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { KeyClaims } from '../../../src/api/limits/key-claims.ts';
import { OrderGate } from '../../../src/api/limits/order-gate.ts';
import { RateLimiter } from '../../../src/api/limits/rate-limiter.ts';
import { Reads } from '../../../src/api/limits/reads.ts';
import { Metrics } from '../../../src/api/metrics.ts';
import { openAccountControl } from '../../../src/api/records/account-control.ts';
import { readAsyncTotals } from '../../../src/async-calls/async-totals.ts';
import type { Config } from '../../../src/config.ts';
import { Control } from '../../../src/control/control.ts';
import { openDirectory } from '../../../src/directory/directory.ts';
import { Scaling } from '../../../src/fleet/scaling.ts';
import type { Logger } from '../../../src/logger.ts';
import { AsyncCalls } from '../../../src/queue/async-calls.ts';
import { AsyncQueue } from '../../../src/queue/async-queue.ts';
import { WebhookQueue } from '../../../src/queue/webhook-queue.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { type ConnectionRole, openRedis, untilReady } from '../../../src/redis/connections.ts';
import { type RunningProcess, StartError } from '../../../src/run-process.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { UpdateFollower } from '../../../src/updates/follow-updates.ts';
import { readWebhookTotals } from '../../../src/webhooks/webhook-totals.ts';
import { NO_ADMISSION } from '../../support/api/no-load.ts';

/** What a design's gateway is built from. */
export interface GatewayParts {
  open(role: ConnectionRole): RedisConnection;
  clock: RedisClock;
  log: Logger;
}

/** What a design puts in the place of the service's own gateway. */
export interface DesignGateway {
  calls: ApiDeps['calls'];
  close(): Promise<void>;
}

/** Starts the service's own HTTP app on another gateway. */
export async function startDesignApi(
  config: Config,
  log: Logger,
  openGateway: (parts: GatewayParts) => Promise<DesignGateway>,
): Promise<RunningProcess> {
  const { REDIS_URL: url, SWITCHBOARD_ROOT_KEY: rootKey } = config;
  if (url === undefined || rootKey === undefined)
    throw new StartError('REDIS_URL and SWITCHBOARD_ROOT_KEY must be set.');
  const connections: RedisConnection[] = [];
  const open = (role: ConnectionRole) => {
    const connection = openRedis(url, role, (err) => log.warn({ err }, 'Redis connection failed'));
    connections.push(connection);
    return connection;
  };
  const redis = open('request');
  const reads = open('request');
  await Promise.all([untilReady(redis), untilReady(reads)]);
  const clock = new RedisClock(redis);
  await clock.start();
  const gateway = await openGateway({ open, clock, log });
  const control = new Control(redis, log, config);
  const lifecycle = { draining: false };
  const app = buildApp({
    config,
    log,
    connections: [redis, reads],
    data: { isReported: false, losses: 0 },
    directory: await openDirectory(redis, config, rootKey, async (what) => void (await what()), log),
    control,
    calls: gateway.calls,
    held: { pass: () => null, check: () => undefined, count: 0 },
    admission: NO_ADMISSION,
    asyncCalls: new AsyncCalls({
      redis,
      queue: new AsyncQueue(redis),
      clock,
      limits: { openMax: 1, bytesMax: 2 ** 28 },
      log,
    }),
    clock,
    updates: new UpdateFollower(reads, open('subscriber'), log),
    reads: new Reads(reads, config),
    accountControl: openAccountControl(gateway.calls),
    claims: new KeyClaims(),
    orders: new OrderGate(NO_ADMISSION, () => undefined),
    webhooks: new WebhookQueue(open('submit')),
    metrics: new Metrics(),
    scaling: new Scaling({
      redis,
      readLanes: async () => [],
      readAsyncCalls: () => readAsyncTotals(redis),
      readWebhooks: () => readWebhookTotals(redis),
      config,
      slowPerWorker: 96,
    }),
    rateLimiter: new RateLimiter(redis, log),
    tracing: NO_TRACING,
    lifecycle,
    memory: { isFull: false, refusesWrites: false },
    workers: { isMissing: false },
  });
  await app.listen({ host: config.HOST, port: config.PORT });

  return {
    async close() {
      lifecycle.draining = true;
      app.server.closeAllConnections();
      await app.close();
      await gateway.close();
      clock.stop();
      for (const connection of connections) connection.disconnect();
    },
  };
}
