import { fileURLToPath } from 'node:url';
import { type ExposedMetric, listMetrics } from './list-metrics.ts';

/** Where the table of all metrics lies. */
export const METRICS_DOC = fileURLToPath(new URL('../../../docs/metrics.md', import.meta.url));

/** The table of all metrics, from the code that registers them, as Markdown. */
export function renderMetricsDoc(): string {
  const all = listMetrics();
  const own = all.filter(({ name }) => name.startsWith('switchboard_'));
  const others = all.filter((metric) => !own.includes(metric));
  return [
    '# Metrics',
    '',
    '<!-- Made by `npm run docs` from the code; do not edit. -->',
    '',
    'API processes serve them at `GET /metrics` (scope `metrics:read`), workers at `/metrics` of `WORKER_METRICS_PORT`. Both collect them at most once a second.',
    'Labels have few values whatever tenants do: methods are those of the TL schema, routes are patterns. Which workspace asks for most is in',
    '[`GET /v1/scaling`](scaling.md#how-many-workers). [operating.md](operating.md) says what to look at.',
    '',
    ...table(own),
    '',
    '## Of Node.js and the process',
    '',
    ...table(others),
    '',
  ].join('\n');
}

function table(metrics: ExposedMetric[]): string[] {
  const rows = metrics.map(({ name, type, labels, of, help }) => {
    const cells = [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(' '), of.join(', '), help];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| name | type | labels | of | what |', '|---|---|---|---|---|', ...rows];
}
