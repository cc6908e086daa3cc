import type { Registry } from 'prom-client';
import { type Freshness, LookupCache } from '../../src/directory/lookup-cache.ts';
import { viewKey } from '../../src/directory/records.ts';
import type { SecretBox } from '../../src/directory/secret-box.ts';
import type { Tenants } from '../../src/directory/tenants.ts';
import { every } from '../../src/every.ts';
import type { Logger } from '../../src/logger.ts';
import { consumeWebhooks, WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import type { Tracing } from '../../src/tracing/trace.ts';
import { HostLookups } from '../../src/webhooks/host-lookups.ts';
import { readWebhookTotals, saveWebhookTotals } from '../../src/webhooks/webhook-totals.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { DeliveryRunner, type DeliveryRunnerOptions } from './delivery-runner.ts';
import { Poster } from './post.ts';
import { sweepWebhooks } from './sweep-webhooks.ts';

const ATTEMPT_MS = 15_000;
const LOOKUP_MS = 5_000;
const GATHER_MS = 10;
const SWEEP_EVERY_MS = 3_000;
// Of `SWEEP_EVERY_MS`.
const SPREAD = 0.2;
const REMEMBERED_WORKSPACES = 50_000;

/** The part of a worker process that serves webhooks. */
export interface RunningDeliveries {
  /** Says that a workspace's stream may have grown. */
  touch(workspaceId: string): void;
  close(graceMs: number): Promise<void>;
}

/** Options that tests change. */
type Tuning = Pick<DeliveryRunnerOptions, 'retryDelays' | 'failingMaxMs'> & {
  attemptMs?: number;
  sweepEveryMs?: number;
};

/** Starts to deliver updates to webhooks. Commands on `connection` must wait, not fail, while Redis is away. */
export function startDeliveries(
  {
    connection,
    freshness,
    tenants,
    tracing,
    box,
    log,
    allowPrivate,
    dnsServers,
    registry,
  }: {
    connection: RedisConnection;
    freshness: Freshness;
    tenants: Tenants;
    tracing: Tracing;
    box: SecretBox;
    log: Logger;
    allowPrivate: boolean;
    /** Name servers that resolve webhook hosts; if empty, the system's. */
    dnsServers: readonly string[];
    registry: Registry;
  },
  { attemptMs = ATTEMPT_MS, sweepEveryMs = SWEEP_EVERY_MS, ...tuning }: Tuning = {},
): RunningDeliveries {
  const metrics = new DeliveryMetrics(registry);
  const queue = new WebhookQueue(connection);
  const hosts = new HostLookups({ servers: dnsServers, timeoutMs: Math.min(LOOKUP_MS, attemptMs) });
  const poster = new Poster({ allowPrivate, timeoutMs: attemptMs, hosts });
  const runner = new DeliveryRunner({
    redis: connection,
    tenants,
    tracing,
    queue,
    box,
    poster,
    metrics,
    log,
    ...tuning,
  });
  const consumer = consumeWebhooks({
    connection,
    queue,
    handlers: runner,
    concurrency: runner.concurrency,
    log,
  });
  // Whether a workspace has webhooks. Most have none, and nothing is queued for them.
  const served = new LookupCache<true>(
    async (id) => ((await connection.zcard(viewKey('webhooks', `workspace:${id}`))) > 0 ? true : null),
    REMEMBERED_WORKSPACES,
    freshness,
  );
  let touched = new Set<string>();

  async function flush(): Promise<void> {
    const ids = touched;
    touched = new Set();
    // Most workspaces are known to have no webhook.
    const asked = [...ids].filter((workspaceId) => served.peek(workspaceId) !== null);
    await Promise.all(
      asked.map(async (workspaceId) => {
        if ((await served.find(workspaceId)) === true) await queue.add({ what: 'feed', workspaceId });
      }),
    );
  }

  // Recovers jobs that were lost with a process: one worker at a time checks all webhooks.
  const sweeping = every(
    sweepEveryMs,
    async (signal) => {
      // As long as the shortest pause. It is kept, so that there is one sweep in a period.
      const leaseMs = Math.round(sweepEveryMs * (1 - SPREAD));
      const totals = await sweepWebhooks(connection, queue, signal, leaseMs);
      if (totals !== null) await saveWebhookTotals(connection, totals);
      metrics.show(await readWebhookTotals(connection));
    },
    {
      onFailure: (err) => log.warn({ err }, 'webhooks were not swept; trying again later'),
      spread: SPREAD,
    },
  );

  return {
    touch(workspaceId) {
      if (touched.size === 0) {
        setTimeout(() => {
          // The sweep finds jobs that could not be queued.
          flush().catch((err) =>
            log.warn({ err }, 'jobs for webhooks could not be queued; the next sweep queues them'),
          );
        }, GATHER_MS);
      }
      touched.add(workspaceId);
    },
    async close(graceMs) {
      void sweeping.stop();
      runner.stop();
      await consumer.close(graceMs);
      poster.close();
      await queue.close();
    },
  };
}
