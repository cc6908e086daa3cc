/** How much CPU time in threads a workspace or organization may use at once, and how much it regains per second. */
export interface Allowed {
  mostMs: number;
  msPerSecond: number;
}

/** How much of its CPU time in threads each workspace or organization has used. It is regained as time goes by. */
export class ParseAllowance {
  private readonly taken = new Map<string, { ms: number; at: number }>();
  private readonly allowed: Allowed;
  private readonly now: () => number;

  constructor(allowed: Allowed, now: () => number = () => performance.now()) {
    this.allowed = allowed;
    this.now = now;
  }

  /** Adds to what one has used. */
  charge(id: string, ms: number): void {
    this.forgetReturned();
    const takenMs = this.takenBy(id) + ms;
    // The latest come last, so that full allowances come to stand first and can be removed.
    this.taken.delete(id);
    this.taken.set(id, { ms: takenMs, at: this.now() });
  }

  /** In how many seconds one may use more; 0 if it may now. */
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
