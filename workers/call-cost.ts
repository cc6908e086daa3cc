import { performance } from 'node:perf_hooks';

// With a shorter measurement, other work of the process would distort it.
const MEASURED_MS = 50;
const UTILIZATION_MIN = 0.2;

// The weight of the latest measurement in the moving average.
const SMOOTHING = 0.5;

/** How long a recent call keeps the event loop of this process busy, on average. */
export class CallCost {
  private ms = 0;
  private calls = 0;
  private since = performance.eventLoopUtilization();

  /** The time in ms; 0 until something has been measured. */
  get msEach(): number {
    return this.ms;
  }

  /** Counts calls that have ended. */
  note(calls: number): void {
    this.calls += calls;
    const { active, utilization } = performance.eventLoopUtilization(this.since);
    if (active < MEASURED_MS || this.calls === 0) return;
    const each = active / this.calls;
    // At a low utilization, much of the active time is other work. A call then costs at most `each`, which can only lower the average.
    if (utilization >= UTILIZATION_MIN || each < this.ms)
      this.ms = this.ms === 0 ? each : this.ms + SMOOTHING * (each - this.ms);
    this.calls = 0;
    this.since = performance.eventLoopUtilization();
  }
}
