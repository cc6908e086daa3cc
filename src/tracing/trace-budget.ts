/** How many traces may begin: so many a second, and as many at once. */
export class TraceBudget {
  private readonly perSecond: number;
  private left: number;
  private lookedAt = performance.now();

  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.left = perSecond;
  }

  /** Whether one more may begin, which then counts. */
  take(): boolean {
    const now = performance.now();
    this.left = Math.min(this.perSecond, this.left + ((now - this.lookedAt) / 1_000) * this.perSecond);
    this.lookedAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
