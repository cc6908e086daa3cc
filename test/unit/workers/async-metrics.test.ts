import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { AsyncMetrics } from '../../../workers/async-calls/async-metrics.ts';
import { DeliveryMetrics } from '../../../workers/delivery/delivery-metrics.ts';

it('shows how many async calls there are in each state, and for how many seconds the oldest could have run', async () => {
  const registry = new Registry();
  new AsyncMetrics(registry).show({ backlog: 3, later: 2, failed: 1, expired: 0, oldestMs: 90_500 });
  const shown = await registry.metrics();
  for (const line of [
    ...['{state="backlog"} 3', '{state="later"} 2', '{state="failed"} 1', '{state="expired"} 0'].map(
      (counted) => `switchboard_async_calls${counted}`,
    ),
    'switchboard_async_oldest_call_seconds 90.5',
  ])
    expect(shown.split('\n')).toContain(line);
});

it.each([
  [
    AsyncMetrics,
    ['succeeded', 'failed', 'expired'].map((status) => `async_calls_ended_total{status="${status}"}`),
  ],
  [
    DeliveryMetrics,
    [
      ...['taken', 'refused', 'away', 'gone'].map(
        (verdict) => `webhook_attempts_total{verdict="${verdict}"}`,
      ),
      ...['succeeded', 'failed'].map((status) => `webhook_deliveries_total{status="${status}"}`),
    ],
  ],
])('%o counts from zero, so that the first increase after a start is seen', async (Metrics, counters) => {
  const registry = new Registry();
  new Metrics(registry);
  const shown = (await registry.metrics()).split('\n');
  for (const counter of counters) expect(shown).toContain(`switchboard_${counter} 0`);
});
