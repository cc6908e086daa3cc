import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { RunMetrics } from '../../../workers/run-metrics.ts';

it('shows how many calls run in each lane, async calls included', async () => {
  const registry = new Registry();
  const runningIn = { shared: 1, slow: 2, lone: 3 };
  new RunMetrics(registry).watch({ runningIn }, { running: 4 }, { dropped: 0 }, { longestStream: 0 });
  const shown = (await registry.metrics()).split('\n').filter((line) => line.includes('calls_running{'));
  expect(shown).toEqual(
    ['shared', 'slow', 'lone', 'async'].map(
      (lane, at) => `switchboard_worker_calls_running{lane="${lane}"} ${at + 1}`,
    ),
  );
});
