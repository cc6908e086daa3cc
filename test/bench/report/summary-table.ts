import { type Finding, keepsLimit } from './finding.ts';
import type { ReportTable } from './report.ts';
import { median, spread } from './statistics.ts';

/** All that was found in one table: median, spread over the rounds, and what is promised. */
export function summaryTable(findings: readonly Finding[]): ReportTable {
  return {
    title: 'All findings',
    columns: ['', 'median', '±', 'rounds', 'better', 'limit', 'kept'],
    rows: findings.map((finding) => {
      const { subject, text, values, unit, better, limit } = finding;
      return [
        `${subject}: ${text}`,
        withUnit(median(values), unit),
        values.length < 2 ? '' : `${(spread(values) * 100).toFixed(0)} %`,
        String(values.length),
        better,
        limit === undefined ? '' : `${better === 'higher' ? '≥' : '≤'} ${withUnit(limit, unit)}`,
        limit === undefined ? '' : keepsLimit(finding) ? 'yes' : 'NO',
      ];
    }),
  };
}

/** A value as it is printed. */
export function withUnit(value: number, unit: Finding['unit']): string {
  if (unit === '×') return `${value.toFixed(2)}×`;
  return `${Math.abs(value) >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2)} ${unit}`;
}
