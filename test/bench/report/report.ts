import type { Chart } from './chart.ts';
import type { Finding } from './finding.ts';

/** A table as it is printed and written. */
export interface ReportTable {
  title: string;
  columns: string[];
  rows: string[][];
}

/** Medians of the service itself, to which the ratios of the findings with this subject belong. */
export interface ServiceFigures {
  subject: string;
  callsPerSecond: number;
  /** ms. */
  p50: number;
  p99: number;
  /** CPU-µs of API, worker and Redis together per call. */
  cpu: number;
}

/** What a scenario has found. */
export interface ScenarioReport {
  /** What was done, in a sentence or two. */
  about: string;
  findings: Finding[];
  /** Where the service was measured beside other designs, by load. */
  service?: ServiceFigures[];
  tables: ReportTable[];
  charts: Chart[];
  /** What must not have happened. */
  complaints: string[];
  /** Everything that was measured. */
  raw: unknown;
}
