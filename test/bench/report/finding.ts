import { median } from './statistics.ts';

/** Something that is claimed of the service, and what a run has found about it. */
export interface Finding {
  /** The same from run to run, such as `reads.512.callsPerSecond/usual`. */
  name: string;
  /** What was measured, such as `reads, 512 connections`. */
  subject: string;
  /** What the value is, in words. */
  text: string;
  /** A value for each round. */
  values: number[];
  unit: '×' | 'ms' | '%' | 'B' | 'KiB' | 'keys' | 'calls';
  better: 'higher' | 'lower';
  /** What it may at worst be; absent where only the comparison with earlier runs says whether it is good. */
  limit?: number;
}

/** Whether what was found keeps to what is promised; true where nothing is. */
export function keepsLimit({ values, better, limit }: Finding): boolean {
  if (limit === undefined) return true;
  const value = median(values);
  return better === 'higher' ? value >= limit : value <= limit;
}

/**
 * What two measurements have found together. Of a ratio the rounds of both count; of anything else, such as answers that were lost, the
 * measurement that is worse: no second one makes up for that.
 */
export function poolFindings(first: readonly Finding[], second: readonly Finding[]): Finding[] {
  return first.map((finding) => {
    const again = second.find(({ name }) => name === finding.name);
    if (again === undefined) return finding;
    if (finding.unit === '×') return { ...finding, values: [...finding.values, ...again.values] };
    return isWorse(again, finding) ? again : finding;
  });
}

function isWorse({ values, better }: Finding, than: Finding): boolean {
  const difference = median(values) - median(than.values);
  return better === 'higher' ? difference < 0 : difference > 0;
}
