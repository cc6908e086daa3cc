import type { Chart } from './chart.ts';

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
  tables: ReportTable[];
  charts: Chart[];
  /** What can be compared from machine to machine, by name. */
  ratios: Record<string, number>;
  /** What must not have happened. */
  complaints: string[];
  /** Everything that was measured. */
  raw: unknown;
}
