import { Registry } from 'prom-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AsyncMetrics } from '../../../workers/async-calls/async-metrics.ts';
import { DeliveryMetrics } from '../../../workers/delivery/delivery-metrics.ts';

const NO_CALLS = { backlog: 0, later: 0, failed: 0, expired: 0, oldestMs: 0 };
const NO_WEBHOOKS = { waiting: 0, oldestMs: 0, enabled: 0, disabled: 0, furthestBehind: [] };

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
  ['async_', (registry: Registry) => new AsyncMetrics(registry).show({ ...NO_CALLS, oldestMs: 1 })],
  ['webhook', (registry: Registry) => new DeliveryMetrics(registry).show({ ...NO_WEBHOOKS, waiting: 1 })],
])('shows no totals of %s that were last read more than a minute ago', async (name, show) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const registry = new Registry();
  show(registry);
  const totals = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`switchboard_${name}`) && !line.includes('_total'));
  const shown = await totals();
  expect(shown.length).toBeGreaterThan(1);
  vi.advanceTimersByTime(59_000);
  expect(await totals()).toEqual(shown);
  vi.advanceTimersByTime(2_000);
  expect(await totals()).toEqual([]);
});

it.each([
  [
    AsyncMetrics,
    ['succeeded', 'failed', 'canceled', 'expired'].map(
      (status) => `async_calls_ended_total{status="${status}"}`,
    ),
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
