/** A token bucket of traces: it holds one second's number of traces. */
export class TraceBudget {
  private readonly perSecond: number;
  private left: number;
  private lookedAt = performance.now();

  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.left = perSecond;
  }

  /** Takes a token; false if there is none. */
  take(): boolean {
    const now = performance.now();
    this.left = Math.min(this.perSecond, this.left + ((now - this.lookedAt) / 1_000) * this.perSecond);
    this.lookedAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
