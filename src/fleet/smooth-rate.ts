// The weight of the last second. The average covers about two seconds: longer than a burst of garbage collection, shorter than an operator
// waits.
const SMOOTHING = 0.4;

/** The growth of a count per second, as an exponential moving average over a few seconds. */
export class SmoothRate {
  private total = 0;
  private at: number;
  private rate = 0;

  /** `since` is when the count was 0. */
  constructor(since = performance.now()) {
    this.at = since;
  }

  /** Takes the current count and returns the rate. Call it about once a second. */
  update(total: number): number {
    const now = performance.now();
    const seconds = (now - this.at) / 1_000;
    if (seconds <= 0) return this.rate;
    const weight = 1 - (1 - SMOOTHING) ** seconds;
    this.rate += weight * ((total - this.total) / seconds - this.rate);
    this.total = total;
    this.at = now;
    return this.rate;
  }
}
