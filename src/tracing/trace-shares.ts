import type { Config } from '../config.ts';

const SECOND = 1_000;

/**
 * Shares the traces of a second among organizations by a dynamic threshold: each may have as many as are left for all others. A single
 * organization gets half of them; of n that ask for many, each gets 1 / (n + 1).
 */
export class TraceShares {
  private readonly config: Pick<Config, 'TRACES_PER_SECOND'>;
  /** How many traces each organization has taken in this second: no more entries than traces. */
  private readonly taken = new Map<string, number>();
  private left = 0;
  private endsAt = Number.NEGATIVE_INFINITY;

  constructor(config: Pick<Config, 'TRACES_PER_SECOND'>) {
    this.config = config;
  }

  /** Takes a trace for an organization; false if it may have no more. */
  take(organizationId: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.taken.clear();
      this.left = this.config.TRACES_PER_SECOND;
      this.endsAt = now + SECOND;
    }
    const taken = this.taken.get(organizationId) ?? 0;
    if (taken >= this.left) return false;
    this.taken.set(organizationId, taken + 1);
    this.left -= 1;
    return true;
  }
}
