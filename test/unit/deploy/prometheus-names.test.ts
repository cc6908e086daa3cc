import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ExposedMetric, listMetrics } from '../../support/metrics/list-metrics.ts';

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string }[];
}
interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string | undefined>;
}

const metrics = new Map(listMetrics().map((metric) => [metric.name, metric]));
const { panels } = JSON.parse(readFileSync('docs/deploy/grafana-dashboard.json', 'utf8')) as {
  panels: Panel[];
};
const { groups } = parse(readFileSync('docs/deploy/alerts.yaml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const queries: [what: string, expr: string][] = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel ${title}`, expr]),
  ),
  ...rules.map(({ alert, expr }): [string, string] => [`rule ${alert}`, expr]),
];

const NAME = /\b((?:switchboard|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;

// A histogram is asked for by what it is made of.
function find(name: string): ExposedMetric | undefined {
  const made = metrics.get(name.replace(/_(bucket|sum|count)$/, ''));
  return metrics.get(name) ?? (made?.type === 'histogram' ? made : undefined);
}

describe.each(queries)('the query of %s', (_, expr) => {
  const used = [...expr.matchAll(NAME)].map(([, name = '', selector = '']) => ({ name, selector }));

  it('asks for metrics and labels that are exposed', () => {
    expect(used).not.toEqual([]);
    const labels = new Set(['job', 'instance', 'le']);
    for (const { name, selector } of used) {
      const metric = find(name);
      expect([name, metric?.name]).toEqual([name, expect.any(String)]);
      for (const label of metric?.labels ?? []) labels.add(label);
      for (const [, label] of selector.matchAll(/(\w+)\s*[=!]/g)) expect([...labels]).toContain(label);
    }
    for (const [, by = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of by.split(/,\s*/)) expect([...labels]).toContain(label);
  });

  it('takes rates of counters only', () => {
    for (const [, name = ''] of expr.matchAll(/\b(?:rate|increase)\((\w+)/g))
      expect([name, find(name)?.type]).toEqual([name, expect.stringMatching(/counter|histogram/)]);
  });
});

it('every metric of the service is on the dashboard', () => {
  const shown = new Set(
    panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(NAME)].map(([, name = '']) => find(name)?.name)),
    ),
  );
  const missing = [...metrics.keys()].filter((name) => name.startsWith('switchboard_') && !shown.has(name));
  // The lanes show the same of all processes together.
  expect(missing).toEqual(['switchboard_calls_oldest_wait_seconds']);
});

it('every alert says what to do about it', () => {
  const silent = rules.filter(({ annotations }) => !/^\S.*\.$/.test(annotations.description ?? ''));
  expect(silent.map(({ alert }) => alert)).toEqual([]);
});

it('no rule takes what nobody could read for zero', () => {
  expect(rules.filter(({ expr }) => expr.includes('vector(')).map(({ alert }) => alert)).toEqual([]);
});
