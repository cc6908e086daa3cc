import { performance } from 'node:perf_hooks';

// Over less, what else the process does would count as much.
const MEASURED_MS = 50;
const UTILIZATION_MIN = 0.2;

// How much the latest measurement counts.
const SMOOTHING = 0.5;

/** How long each call has lately kept the event loop of this process busy. */
export class CallCost {
  private ms = 0;
  private calls = 0;
  private since = performance.eventLoopUtilization();

  /** In ms; 0 until enough has been measured. */
  get msEach(): number {
    return this.ms;
  }

  /** Counts calls that have ended. */
  note(calls: number): void {
    this.calls += calls;
    const { active, utilization } = performance.eventLoopUtilization(this.since);
    if (active < MEASURED_MS || this.calls === 0) return;
    const each = active / this.calls;
    if (utilization >= UTILIZATION_MIN)
      this.ms = this.ms === 0 ? each : this.ms + SMOOTHING * (each - this.ms);
    this.calls = 0;
    this.since = performance.eventLoopUtilization();
  }
}
