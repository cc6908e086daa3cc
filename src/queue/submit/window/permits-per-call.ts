// The weight of the latest call in a workspace's moving average.
const SMOOTHING = 1 / 4;

// An average decays to this part within a second, so that a workspace does not begin each of its bursts as a cheap one.
const DECAY_PER_SECOND = 0.8;
const CHEAP = 1.5;

/** A moving average, and when it was last brought up to date. */
interface Average {
  cost: number;
  at: number;
}

/**
 * How many permits of the window a call of each workspace takes: what its recent calls have cost on average. Only workspaces whose calls
 * cost more than one permit are kept.
 */
export class PermitsPerCall {
  private readonly averages = new Map<string, Average>();
  private max = Number.POSITIVE_INFINITY;

  /** Lets no call take more than `max` permits. */
  limit(max: number): void {
    this.max = max;
  }

  /** The permits that a call of this workspace takes; at least 1, and whole. */
  of(workspaceId: string): number {
    if (this.averages.size === 0) return 1;
    const average = this.averages.get(workspaceId);
    return average === undefined ? 1 : Math.max(1, Math.min(this.max, Math.round(average.cost)));
  }

  /** Notes what a call has cost; 1 for most. */
  note(workspaceId: string, cost: number): void {
    if (cost === 1 && this.averages.size === 0) return;
    const known = this.averages.get(workspaceId);
    if (known !== undefined) known.cost += SMOOTHING * (cost - known.cost);
    else if (cost > 1)
      this.averages.set(workspaceId, { cost: 1 + SMOOTHING * (cost - 1), at: performance.now() });
  }

  /** Lets the averages decay, and forgets those that have become cheap. */
  decay(): void {
    const now = performance.now();
    for (const [workspaceId, average] of this.averages) {
      average.cost = 1 + (average.cost - 1) * DECAY_PER_SECOND ** ((now - average.at) / 1_000);
      average.at = now;
      if (average.cost < CHEAP) this.averages.delete(workspaceId);
    }
  }
}
