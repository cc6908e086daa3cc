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
    checkMetricsPort({ PORT: 3000, WORKER_METRICS_PORT: first, SWITCHBOARD_WORKERS: workers });
  expect(check(65_534, 2)).not.toThrow();
  expect(check(undefined, 64)).not.toThrow();
  expect(check(65_535, 2)).toThrow(
    'The setting WORKER_METRICS_PORT is wrong: 2 workers need as many ports, so give 65534 or less.',
  );
});

test('the port of the API is not one for the metrics of a worker', () => {
  const check =
    (first: number, workers: number | 'auto', port = 3000) =>
    () =>
      checkMetricsPort({ PORT: port, WORKER_METRICS_PORT: first, SWITCHBOARD_WORKERS: workers });
  expect(check(3001, 4)).not.toThrow();
  expect(check(2998, 2)).not.toThrow();
  expect(check(2999, 2)).toThrow(
    'The setting WORKER_METRICS_PORT is wrong: 2999 to 3000 are for workers, and PORT is 3000.',
  );
  expect(check(3000, 'auto')).toThrow('are for workers, and PORT is 3000.');
  // Any free port.
  expect(check(0, 4)).not.toThrow();
  expect(check(3000, 4, 0)).not.toThrow();
});
