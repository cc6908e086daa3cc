// Some three seconds: longer than a burst of garbage collection, shorter than an operator waits.
const SMOOTHING = 0.3;

/** How much a count grows in a second, smoothed over some seconds. */
export class SmoothRate {
  private total = 0;
  private at: number;
  private rate = 0;

  /** Of a count that was 0 at that time. */
  constructor(since = performance.now()) {
    this.at = since;
  }

  /** Takes the count as it is now, about once a second, and gives the rate. */
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
