import type { CallCounts } from '../async-calls/count-calls.ts';
import { atMostEvery } from '../at-most-every.ts';
import type { Config } from '../config.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { WebhookTotals } from '../webhooks/webhook-totals.ts';
import { readFleet } from './fleet.ts';
import { holdWanted } from './hold-wanted.ts';
import { type LaneWait, type ScalingReport, scalingReport } from './scaling-report.ts';

const FRESH_MS = 1_000;
// Removing a worker that is needed again a moment later costs more than keeping it idle for this long.
const KEPT_MS = 60_000;

/** What waits elsewhere than in the lanes: the async lane has only a few calls of each workspace. */
interface Backlogs {
  asyncCalls: Pick<CallCounts, 'backlog' | 'oldestMs'>;
  webhooks: WebhookTotals;
}

/** Computes how many workers to run. It asks Redis at most once a second. */
export class Scaling {
  /** The report, shared by all requests within a second. */
  readonly report: () => Promise<ScalingReport & Backlogs>;

  constructor(options: {
    redis: RedisConnection;
    readLanes: () => Promise<LaneWait[]>;
    readAsyncCalls: () => Promise<CallCounts>;
    readWebhooks: () => Promise<WebhookTotals>;
    /** Read anew for each report: operators change it at run time. */
    config: Pick<Config, 'SCALING_TARGET_WAIT_MS'>;
    /** How many calls of the slow lane a worker runs at once. */
    slowPerWorker: number;
  }) {
    const { redis, readLanes, readAsyncCalls, readWebhooks, config, slowPerWorker } = options;
    this.report = atMostEvery(FRESH_MS, async () => {
      const [fleet, lanes, { backlog, oldestMs }, webhooks] = await Promise.all([
        readFleet(redis),
        readLanes(),
        readAsyncCalls(),
        readWebhooks(),
      ]);
      const targetWaitMs = config.SCALING_TARGET_WAIT_MS;
      const report = scalingReport(fleet, lanes, { targetWaitMs, slowPerWorker });
      const wanted = await holdWanted(redis, report.desiredWorkers, KEPT_MS);
      return { ...report, desiredWorkers: wanted, asyncCalls: { backlog, oldestMs }, webhooks };
    });
  }
}
