import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listMetrics } from '../../support/metrics/list-metrics.ts';
import { METRICS_DOC, renderMetricsDoc } from '../../support/metrics/metrics-doc.ts';

it('docs/metrics.md lists what is exposed now; npm run docs writes it anew', () => {
  expect(readFileSync(METRICS_DOC, 'utf8')).toBe(renderMetricsDoc());
});

it.each(listMetrics().filter(({ name }) => name.startsWith('switchboard_')))(
  '$name is named by the rules of Prometheus',
  ({ name, type, help }) => {
    expect(name).toMatch(/^[a-z][a-z_]*[a-z]$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(help).toMatch(/\.$/);
  },
);
