const SECOND = 1_000;

/**
 * How many traces may begin in a second, shared out among organizations: each may have as many as are left for all others. One alone has
 * half of them, n that ask for many at once have each one of n + 1 parts.
 */
export class TraceShares {
  private readonly perSecond: number;
  /** How many of each organization have begun in this second; no more organizations than traces. */
  private readonly begun = new Map<string, number>();
  private left = 0;
  private endsAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  /** Whether one more of an organization may begin, which then counts. */
  take(organizationId: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.begun.clear();
      this.left = this.perSecond;
      this.endsAt = now + SECOND;
    }
    const begun = this.begun.get(organizationId) ?? 0;
    if (begun >= this.left) return false;
    this.begun.set(organizationId, begun + 1);
    this.left -= 1;
    return true;
  }
}
