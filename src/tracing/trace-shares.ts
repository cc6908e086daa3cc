import type { Config } from '../config.ts';

const SECOND = 1_000;

/**
 * Shares out the traces of a second among organizations by a dynamic threshold: each may have as many as are left for all others. A single
 * organization gets half of them; n organizations that ask for many get one of n + 1 parts each.
 */
export class TraceShares {
  private readonly config: Pick<Config, 'TRACES_PER_SECOND'>;
  /** The number of traces of each organization in this second. It has no more entries than there are traces. */
  private readonly begun = new Map<string, number>();
  private left = 0;
  private endsAt = Number.NEGATIVE_INFINITY;

  constructor(config: Pick<Config, 'TRACES_PER_SECOND'>) {
    this.config = config;
  }

  /** Takes a trace for an organization; false if it may have no more. */
  take(organizationId: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.begun.clear();
      this.left = this.config.TRACES_PER_SECOND;
      this.endsAt = now + SECOND;
    }
    const begun = this.begun.get(organizationId) ?? 0;
    if (begun >= this.left) return false;
    this.begun.set(organizationId, begun + 1);
    this.left -= 1;
    return true;
  }
}
