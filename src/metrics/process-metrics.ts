import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client';
import { every, type Repeated } from '../every.ts';
import type { RedisConnection } from '../redis/connections.ts';

const PING_EVERY_MS = 1_000;

// Gauges that are named like counters, which Prometheus' linter refuses, and the gauges that they sum.
const MISNAMED = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
]);

/** The metrics of every process: its event loop, its memory, and the round trip to Redis. */
export class ProcessMetrics {
  private readonly roundTrip: Histogram;
  private pinging: Repeated | undefined;

  constructor(registry: Registry) {
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
    this.roundTrip = new Histogram({
      name: 'switchboard_redis_round_trip_seconds',
      help: 'Round-trip time of a PING to Redis, measured once a second.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
  }

  /** Starts to measure, until `stop`. */
  start(redis: RedisConnection): void {
    const ping = async () => {
      const sentAt = performance.now();
      await redis.ping();
      this.roundTrip.observe((performance.now() - sentAt) / 1_000);
    };
    this.pinging = every(PING_EVERY_MS, ping, { spread: 0.2, onFailure: () => undefined });
  }

  stop(): void {
    void this.pinging?.stop();
  }
}
