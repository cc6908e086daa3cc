// What calls have cost fades to this part within a second.
const DECAY_PER_SECOND = 0.8;

// Each average includes this many calls of one permit that nobody has made: a single costly call says little.
const PRIOR_CALLS = 2;

// A workspace is forgotten once its calls have cost less than this, in permits, beyond one permit each.
const EXTRA_COST_MIN = 0.1;

/** The recent calls of a workspace, and what they have cost together. */
interface Recent {
  calls: number;
  cost: number;
}

/**
 * How many permits of the window a call of each workspace takes: what its calls of the last seconds have cost on average. It is an average
 * over time: over the latest few calls, a handful of cheap calls would make up for a hundred costly ones. Only workspaces that have made
 * costly calls are kept.
 */
export class PermitsPerCall {
  private readonly recent = new Map<string, Recent>();
  private decayedAt = performance.now();
  private max = Number.POSITIVE_INFINITY;

  /** Lets no call take more than `max` permits. */
  limit(max: number): void {
    this.max = max;
  }

  /** The permits that a call of this workspace takes; at least 1, and whole. */
  of(workspaceId: string): number {
    if (this.recent.size === 0) return 1;
    const recent = this.recent.get(workspaceId);
    if (recent === undefined) return 1;
    const average = (recent.cost + PRIOR_CALLS) / (recent.calls + PRIOR_CALLS);
    return Math.max(1, Math.min(this.max, Math.round(average)));
  }

  /** The most permits that a call of any workspace takes. */
  get most(): number {
    let most = 1;
    for (const workspaceId of this.recent.keys()) most = Math.max(most, this.of(workspaceId));
    return most;
  }

  /** Notes what a call has cost; 1 for most. */
  note(workspaceId: string, cost: number): void {
    if (cost === 1 && this.recent.size === 0) return;
    const recent = this.recent.get(workspaceId);
    if (recent !== undefined) {
      recent.calls += 1;
      recent.cost += cost;
    } else if (cost > 1) this.recent.set(workspaceId, { calls: 1, cost });
  }

  /** Fades what calls have cost. Call it several times a second. */
  decay(): void {
    const now = performance.now();
    const part = DECAY_PER_SECOND ** ((now - this.decayedAt) / 1_000);
    this.decayedAt = now;
    for (const [workspaceId, recent] of this.recent) {
      recent.calls *= part;
      recent.cost *= part;
      if (recent.cost - recent.calls < EXTRA_COST_MIN) this.recent.delete(workspaceId);
    }
  }
}
