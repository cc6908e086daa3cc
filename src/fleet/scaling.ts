import { atMostEvery } from '../at-most-every.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { WebhookTotals } from '../webhooks/webhook-totals.ts';
import { readFleet } from './fleet.ts';
import { holdWanted } from './hold-wanted.ts';
import { type LaneWait, type ScalingReport, scalingReport } from './scaling-report.ts';

const FRESH_MS = 1_000;
// Removing a worker that is needed again a moment later costs more than keeping it idle for this long.
const KEPT_MS = 60_000;

/** Computes how many workers to run. It asks Redis at most once a second. */
export class Scaling {
  /** The report, shared by all requests within a second. */
  readonly report: () => Promise<ScalingReport & { webhooks: WebhookTotals }>;

  constructor(options: {
    redis: RedisConnection;
    readLanes: () => Promise<LaneWait[]>;
    readWebhooks: () => Promise<WebhookTotals>;
    targetWaitMs: number;
    /** How many calls of the slow lane a worker runs at once. */
    slowPerWorker: number;
  }) {
    const { redis, readLanes, readWebhooks, ...settings } = options;
    this.report = atMostEvery(FRESH_MS, async () => {
      const [fleet, lanes, webhooks] = await Promise.all([readFleet(redis), readLanes(), readWebhooks()]);
      const report = scalingReport(fleet, lanes, settings);
      const wanted = await holdWanted(redis, report.desiredWorkers, KEPT_MS);
      return { ...report, desiredWorkers: wanted, webhooks };
    });
  }
}
