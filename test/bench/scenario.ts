import type { BenchOptions } from './read-options.ts';
import type { ScenarioReport } from './report/report.ts';
import type { Rig, RigOptions } from './rig/open-rig.ts';

/** What a scenario gets to work with. */
export interface Bench {
  options: BenchOptions;
  /** Shows what is going on. */
  say(progress: string): void;
  /** Starts servers and load; whatever happens, the bench closes them. */
  openRig(options: Partial<RigOptions>): Promise<Rig>;
}

/** Something worth knowing, and how to find it out. */
export interface Scenario {
  name: string;
  summary: string;
  /** About how long it takes on a quiet machine with two cores. */
  seconds: { quick: number; full: number };
  run(bench: Bench): Promise<ScenarioReport>;
}

/** A scenario's report under its name. */
export interface NamedReport extends Pick<Scenario, 'name' | 'summary'> {
  report: ScenarioReport;
}
