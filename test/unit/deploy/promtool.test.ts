import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { listMetrics } from '../../support/metrics/list-metrics.ts';

const ALERTS = resolve('docs/deploy/alerts.yaml');
// It comes with Debian's package `prometheus`, which nothing else here needs.
const isInstalled = spawnSync('promtool', ['--version']).status === 0;

/** What promtool says of a file with this content, as JSON, which is YAML too. */
function promtool(args: string[], content: object): { status: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-promtool-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'file.yaml');
  writeFileSync(file, JSON.stringify(content));
  const { status, stdout, stderr } = spawnSync('promtool', [...args, file], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

/** Checks that these alerts fire, and no others, ten minutes after series have begun that keep their values. */
function checkAlerts(series: Record<string, number>, alerts: string[]) {
  const firing = {
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: '10m',
    exp_samples: alerts.sort().map((name) => ({ labels: `{alertname="Switchboard${name}"}`, value: 1 })),
  };
  const input = Object.entries({ switchboard_calls_in_flight: 0, ...series });
  return promtool(['test', 'rules'], {
    rule_files: [ALERTS],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: input.map(([name, value]) => ({ series: name, values: `${value}+0x60` })),
        promql_expr_test: [firing],
      },
    ],
  });
}

const OLD = 'switchboard_workers{version="1"}';
const NEW = 'switchboard_workers{version="2"}';
const DRAINING = 'switchboard_workers_draining';
const DESIRED = 'switchboard_workers_desired';

describe.runIf(isInstalled)('Prometheus itself', () => {
  it('takes the rules, and the queries of the dashboard', () => {
    const { panels } = JSON.parse(readFileSync('docs/deploy/grafana-dashboard.json', 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const { groups } = parse(readFileSync(ALERTS, 'utf8'));
    const rules = panels
      .flatMap(({ targets = [] }) => targets)
      .map(({ expr }, at) => ({ record: `panel:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
    const all = { groups: [...groups, { name: 'dashboard', rules }] };
    expect(promtool(['check', 'rules'], all)).toEqual({
      status: 0,
      said: expect.stringContaining(`${groups[0].rules.length + rules.length} rules found`),
    });
  });

  it('finds nothing wrong with how metrics are named', () => {
    const own = listMetrics().filter(({ name }) => name.startsWith('switchboard_'));
    const lines = own.flatMap(({ name, type, help, labels }) => {
      const set = labels.map((label) => `${label}="x"`);
      const one = (suffix: string, more: string[] = []) =>
        `${name}${suffix}{${[...set, ...more].join(',')}} 0`;
      const samples =
        type === 'histogram' ? [one('_bucket', ['le="+Inf"']), one('_sum'), one('_count')] : [one('')];
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
    });
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  });

  it.each<[string, Record<string, number>, string[]]>([
    ['nothing, while as many workers are there as are wanted', { [OLD]: 2, [DRAINING]: 0, [DESIRED]: 2 }, []],
    [
      'nothing, while workers of another release take the place of those that drain',
      { [OLD]: 2, [NEW]: 2, [DRAINING]: 2, [DESIRED]: 2 },
      [],
    ],
    [
      'that nobody takes calls, if all workers drain',
      { [OLD]: 2, [DRAINING]: 2, [DESIRED]: 1 },
      ['WorkersMissing', 'WorkersTooFew'],
    ],
    [
      'that nobody takes calls, if there is no worker',
      { [DRAINING]: 0, [DESIRED]: 1 },
      ['WorkersMissing', 'WorkersTooFew'],
    ],
    [
      'too few workers, if one of those that are wanted drains',
      { [OLD]: 2, [DRAINING]: 1, [DESIRED]: 2 },
      ['WorkersTooFew'],
    ],
    ['nothing of workers while nobody can ask Redis', {}, ['RedisAway']],
  ])('warns of %s', (_, series, alerts) => {
    expect(checkAlerts(series, alerts)).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
  });
});
