import type { Chart } from './chart.ts';
import type { Finding } from './finding.ts';

/** A table as it is printed and written. */
export interface ReportTable {
  title: string;
  columns: string[];
  rows: string[][];
}

/** What a scenario has found. */
export interface ScenarioReport {
  /** What was done, in a sentence or two. */
  about: string;
  findings: Finding[];
  tables: ReportTable[];
  charts: Chart[];
  /** What must not have happened. */
  complaints: string[];
  /** Everything that was measured. */
  raw: unknown;
}
