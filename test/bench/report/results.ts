import type { NamedReport } from '../scenario.ts';
import { type Finding, keepsLimit } from './finding.ts';
import type { ScenarioReport } from './report.ts';
import { median, spread } from './statistics.ts';

/** Everything that a run has found, as it lies beside the page that is made of it. */
export interface Results {
  /** When it was measured, such as 2026-11-22. */
  date: string;
  machine: string;
  quick: boolean;
  scenarios: ScenarioResults[];
}

/** What one scenario has found, without single measurements. */
export interface ScenarioResults extends Pick<ScenarioReport, 'about' | 'service' | 'tables' | 'complaints'> {
  name: string;
  summary: string;
  findings: Found[];
  charts: { file: string; title: string }[];
}

/** A finding with its rounds put together; JSON has no infinite numbers, so null is what never came or was not measured. */
export interface Found extends Omit<Finding, 'values'> {
  median: number | null;
  /** Half of the distance between the extremes, as a share of the median. */
  spread: number;
  rounds: number;
  /** Whether it keeps its limit; true where it has none. */
  kept: boolean;
}

/** Puts together what the scenarios have found. */
export function toResults(reports: readonly NamedReport[], run: Omit<Results, 'scenarios'>): Results {
  return {
    ...run,
    scenarios: reports.map(({ name, summary, report }) => ({
      name,
      summary,
      about: report.about,
      ...(report.service && { service: report.service }),
      findings: report.findings.map(toFound),
      tables: report.tables,
      charts: report.charts.map(({ file, title }) => ({ file, title })),
      complaints: report.complaints,
    })),
  };
}

function toFound(finding: Finding): Found {
  const { values, ...rest } = finding;
  const value = median(values);
  return {
    ...rest,
    median: Number.isFinite(value) ? value : null,
    spread: spread(values),
    rounds: values.length,
    kept: keepsLimit(finding),
  };
}
