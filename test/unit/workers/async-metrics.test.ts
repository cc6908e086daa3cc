import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { AsyncMetrics } from '../../../workers/async-calls/async-metrics.ts';

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
