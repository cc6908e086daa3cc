interface Use {
  calls: number;
  refused: number;
  cost: number;
  callRate: number;
  refusedRate: number;
  costRate: number;
}

/** What a workspace asks for lately. */
export interface WorkspaceUse {
  workspaceId: string;
  callsPerSecond: number;
  refusedPerSecond: number;
  /** What its answered calls have cost, in usual calls. */
  costPerSecond: number;
}

// The weight of the latest second in the moving average, which covers about three seconds.
const SMOOTHING = 0.3;
// A workspace with lower rates is forgotten.
const RATE_MIN = 0.05;

/** Measures the calls of each workspace and their cost. A call takes two look-ups. Silent workspaces are forgotten. */
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
    const use = this.useOf(workspaceId);
    this.arrivals += 1;
    use.calls += 1;
    if (isRefused) use.refused += 1;
  }

  countServed(workspaceId: string, cost: number): void {
    this.ends += 1;
    this.useOf(workspaceId).cost += cost;
  }

  /** Up to `max` workspaces whose calls have lately been the most, or have cost most. Call it about once a second. */
  heaviest(max: number): WorkspaceUse[] {
    this.roll();
    return [...this.uses]
      .sort(([, a], [, b]) => heavinessOf(b) - heavinessOf(a))
      .slice(0, max)
      .map(([workspaceId, { callRate, refusedRate, costRate }]) => ({
        workspaceId,
        callsPerSecond: round(callRate),
        refusedPerSecond: round(refusedRate),
        costPerSecond: round(costRate),
      }));
  }

  private useOf(workspaceId: string): Use {
    const known = this.uses.get(workspaceId);
    if (known !== undefined) return known;
    const use = { calls: 0, refused: 0, cost: 0, callRate: 0, refusedRate: 0, costRate: 0 };
    this.uses.set(workspaceId, use);
    return use;
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
      use.costRate += weight * (use.cost / seconds - use.costRate);
      use.calls = 0;
      use.refused = 0;
      use.cost = 0;
      if (heavinessOf(use) < RATE_MIN) this.uses.delete(workspaceId);
    }
  }
}

// A refused call costs nothing, and yet it is asked for.
function heavinessOf({ callRate, costRate }: Use): number {
  return Math.max(callRate, costRate);
}

function round(rate: number): number {
  return Math.round(rate * 100) / 100;
}
