/** How much time in threads someone may take at once, and how much comes back in every second. */
export interface Allowed {
  mostMs: number;
  msPerSecond: number;
}

/** What each workspace or organization has taken of the time in threads that it may have; it comes back as time goes by. */
export class ParseAllowance {
  private readonly taken = new Map<string, { ms: number; at: number }>();
  private readonly allowed: Allowed;
  private readonly now: () => number;

  constructor(allowed: Allowed, now: () => number = () => performance.now()) {
    this.allowed = allowed;
    this.now = now;
  }

  /** Notes what one has taken. */
  charge(id: string, ms: number): void {
    this.forgetReturned();
    const takenMs = this.takenBy(id) + ms;
    // The latest come last, so that full allowances come to stand first and can be removed.
    this.taken.delete(id);
    this.taken.set(id, { ms: takenMs, at: this.now() });
  }

  /** In how many seconds one may take more; 0 when it may now. */
  waitSeconds(id: string): number {
    return Math.max(0, Math.ceil((this.takenBy(id) - this.allowed.mostMs) / this.allowed.msPerSecond));
  }

  private takenBy(id: string): number {
    const { ms = 0, at = 0 } = this.taken.get(id) ?? {};
    return Math.max(0, ms - ((this.now() - at) / 1_000) * this.allowed.msPerSecond);
  }

  private forgetReturned(): void {
    for (const id of this.taken.keys()) {
      if (this.takenBy(id) > 0) return;
      this.taken.delete(id);
    }
  }
}
