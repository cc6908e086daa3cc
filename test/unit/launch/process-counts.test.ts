import { expect, test } from 'vitest';
import { checkMetricsPort, metricsPort } from '../../../src/launch/processes/process-counts.ts';

test('each worker has a port for its metrics, from the given one on', () => {
  expect([1, 2, 3].map((number) => metricsPort({ WORKER_METRICS_PORT: 65_534 }, number))).toEqual([
    { WORKER_METRICS_PORT: '65534' },
    { WORKER_METRICS_PORT: '65535' },
    { WORKER_METRICS_PORT: '' },
  ]);
  expect(metricsPort({ WORKER_METRICS_PORT: undefined }, 2)).toEqual({});
});

test('a first port that leaves too few for the workers is refused', () => {
  const check = (first: number | undefined, workers: number) => () =>
    checkMetricsPort({ WORKER_METRICS_PORT: first, SWITCHBOARD_WORKERS: workers });
  expect(check(65_534, 2)).not.toThrow();
  expect(check(undefined, 64)).not.toThrow();
  expect(check(65_535, 2)).toThrow(
    'The setting WORKER_METRICS_PORT is wrong: 2 workers need as many ports, so give 65534 or less.',
  );
});
