import { fileURLToPath } from 'node:url';
import { type ExposedMetric, listMetrics } from './list-metrics.ts';

/** Where the list of all metrics lies. */
export const METRICS_DOC = fileURLToPath(new URL('../../../docs/metrics.md', import.meta.url));

/** The list of all metrics, from the code that registers them, as Markdown. */
export function renderMetricsDoc(): string {
  const own = listMetrics().filter(({ name }) => name.startsWith('switchboard_'));
  const ofOne = (of: string) => own.filter((metric) => metric.of.join() === of);
  return [
    '# Metrics',
    '',
    '<!-- Made by `npm run docs` from the code; do not edit. -->',
    '',
    '`GET /metrics` of API processes (scope `metrics:read`) and `/metrics` of workers, at `WORKER_METRICS_PORT`, say of each what it is. No label names',
    'a tenant: [`GET /v1/scaling`](scaling.md#how-many-workers) says which workspace asks for most. There are also those of',
    '[prom-client](https://github.com/siimon/prom-client#default-metrics) about Node.',
    ...section('Of each API process', ofOne('API').filter(isOfProcess)),
    ...section('Of each worker', ofOne('worker').filter(isOfProcess)),
    ...section('Of both', ofOne('API,worker')),
    ...section('The same in all API processes', ofOne('API').filter(isOfAll)),
    ...section('The same in all workers', ofOne('worker').filter(isOfAll)),
    '',
  ].join('\n');
}

function section(title: string, metrics: ExposedMetric[]): string[] {
  return ['', `## ${title}`, '', metrics.map(toSeries).join(' ')];
}

function toSeries({ name, labels }: ExposedMetric): string {
  return labels.length > 0 ? `\`${name}{${labels.join()}}\`` : `\`${name}\``;
}

function isOfAll({ help }: ExposedMetric): boolean {
  return help.endsWith('; the same in all.');
}

function isOfProcess(metric: ExposedMetric): boolean {
  return !isOfAll(metric);
}
