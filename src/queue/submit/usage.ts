interface Use {
  calls: number;
  refused: number;
  callRate: number;
  refusedRate: number;
}

/** A workspace and its call rate. */
export interface WorkspaceUse {
  workspaceId: string;
  callsPerSecond: number;
  refusedPerSecond: number;
}

// The weight of the latest second in the moving average, which covers about three seconds.
const SMOOTHING = 0.3;
// A workspace with a lower rate is forgotten.
const RATE_MIN = 0.05;

/** Measures the call rate of each workspace. A call costs one look-up. Silent workspaces are forgotten. */
export class Usage {
  private readonly uses = new Map<string, Use>();
  private arrivals = 0;
  private ends = 0;
  private rolledAt = performance.now();

  /** How many calls have arrived, including refused ones. */
  get arrived(): number {
    return this.arrivals;
  }

  /** How many calls have been answered in time. */
  get served(): number {
    return this.ends;
  }

  count(workspaceId: string, isRefused: boolean): void {
    let use = this.uses.get(workspaceId);
    if (use === undefined) {
      use = { calls: 0, refused: 0, callRate: 0, refusedRate: 0 };
      this.uses.set(workspaceId, use);
    }
    this.arrivals += 1;
    use.calls += 1;
    if (isRefused) use.refused += 1;
  }

  countServed(): void {
    this.ends += 1;
  }

  /** The `most` workspaces with the highest rates. Call it about once a second. */
  heaviest(most: number): WorkspaceUse[] {
    this.roll();
    return [...this.uses]
      .sort(([, a], [, b]) => b.callRate - a.callRate)
      .slice(0, most)
      .map(([workspaceId, { callRate, refusedRate }]) => ({
        workspaceId,
        callsPerSecond: round(callRate),
        refusedPerSecond: round(refusedRate),
      }));
  }

  private roll(): void {
    const now = performance.now();
    const seconds = (now - this.rolledAt) / 1_000;
    if (seconds <= 0) return;
    this.rolledAt = now;
    const weight = 1 - (1 - SMOOTHING) ** seconds;
    for (const [workspaceId, use] of this.uses) {
      use.callRate += weight * (use.calls / seconds - use.callRate);
      use.refusedRate += weight * (use.refused / seconds - use.refusedRate);
      use.calls = 0;
      use.refused = 0;
      if (use.callRate < RATE_MIN) this.uses.delete(workspaceId);
    }
  }
}

function round(rate: number): number {
  return Math.round(rate * 100) / 100;
}
