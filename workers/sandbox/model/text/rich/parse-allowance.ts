/** The token bucket of a workspace or organization: how much CPU time in threads it may use at once, and how much it regains per second. */
export interface Allowed {
  mostMs: number;
  msPerSecond: number;
}

/** Token buckets of CPU time in threads, for each workspace and organization. */
export class ParseAllowance {
  private readonly taken = new Map<string, { ms: number; at: number }>();
  private readonly allowed: Allowed;
  private readonly now: () => number;

  constructor(allowed: Allowed, now: () => number = () => performance.now()) {
    this.allowed = allowed;
    this.now = now;
  }

  /** Adds to the time that one has used. */
  charge(id: string, ms: number): void {
    this.forgetReturned();
    const takenMs = this.takenBy(id) + ms;
    // The latest go to the end, so that full buckets are at the front and can be removed.
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
