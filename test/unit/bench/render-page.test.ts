import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../bench/report/finding.ts';
import { renderPage } from '../../bench/report/render-page.ts';
import type { ScenarioReport, ServiceFigures } from '../../bench/report/report.ts';
import { type Results, toResults } from '../../bench/report/results.ts';

const RUN = { date: '2026-11-22', machine: 'Node 20', quick: false };

function ratio(what: string, values: number[], rest: Partial<Finding> = {}): Finding {
  const name = `reads.512.${what}`;
  return { name, subject: 'reads', text: what, values, unit: '×', better: 'higher', ...rest };
}

function resultsOf(findings: Finding[], rest: Partial<ScenarioReport> = {}): Results {
  const report = { about: '', findings, tables: [], charts: [], complaints: [], raw: null, ...rest };
  return toResults([{ name: 'reads', summary: 'reads', report }], RUN);
}

const service: ServiceFigures[] = [
  { subject: 'reads', callsPerSecond: 11286, p50: 47.1, p99: 67.6, cpu: 136.8 },
];

describe('the page of the bench', () => {
  it('has a row for a load, with each figure before its ratios and what is promised of them', () => {
    const findings = [
      ratio('callsPerSecond/usual', [3, 3.42, 4], { limit: 2.5 }),
      ratio('callsPerSecond/noQueue', [1.23]),
      ratio('p99/usual', [0.61], { better: 'lower', limit: 0.5 }),
      ratio('cpuAboveNoQueue/usual', [0.03], { better: 'lower' }),
    ];
    const page = renderPage(resultsOf(findings, { service }));
    const row = page.split('\n').find((line) => line.startsWith('| reads'));
    expect(row?.split('|').map((cell) => cell.trim())).toEqual([
      ...['', 'reads', '11286', '3.42× (≥ 2.5)', '1.23×', '47.1', '', '', '67.6', '**0.61×** (≤ 0.5)', ''],
      ...['137', '', '', '0.03×', ''],
    ]);
    expect(page).not.toContain('## The other scenarios');
  });

  it('has a line for each other load, in which all else stands', () => {
    const findings = [
      ratio('apiCpu/oneProcess', [0.8], { text: 'API CPU' }),
      ratio('recovery', [Number.POSITIVE_INFINITY], {
        text: 'recovery',
        unit: 'ms',
        better: 'lower',
        limit: 2_000,
      }),
      ratio('tooLate', [0], { text: 'late answers', unit: 'calls' }),
      ratio('p50/first', [1], { subject: 'list', text: 'p50' }),
    ];
    const page = renderPage(resultsOf(findings, { service }));
    expect(page).toContain(
      '\n- reads: API CPU 0.80×; recovery **none** (≤ 2000); late answers 0 calls\n- list: p50 1.00×\n',
    );
  });

  it('shows complaints and charts', () => {
    const chart = { kind: 'lines', file: 'reads.svg', title: 'Reads', xLabel: '', series: [] } as const;
    const page = renderPage(
      resultsOf([], { complaints: ['3 answers were lost'], charts: [{ ...chart, series: [] }] }),
    );
    expect(page).toContain('- **3 answers were lost**');
    expect(page).toContain('![Reads](reads.svg)');
  });

  it('can be made anew from bench.json', () => {
    const infinite = resultsOf([ratio('recovery', [Number.POSITIVE_INFINITY], { unit: 'ms' })], { service });
    expect(renderPage(JSON.parse(JSON.stringify(infinite)))).toBe(renderPage(infinite));
    const results: Results = JSON.parse(readFileSync('docs/performance/bench.json', 'utf8'));
    expect(readFileSync('docs/performance/bench.md', 'utf8')).toBe(renderPage(results));
  });
});

it('the figures kept of a run are medians, with their spread and number of rounds', () => {
  const [scenario] = resultsOf([ratio('p50/usual', [2, 3, 4], { limit: 2.5 })]).scenarios;
  expect(scenario?.findings).toEqual([
    expect.objectContaining({ median: 3, spread: 1 / 3, rounds: 3, limit: 2.5, kept: true }),
  ]);
});
