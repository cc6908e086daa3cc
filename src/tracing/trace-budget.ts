import type { Config } from '../config.ts';

/** A token bucket of traces: it holds one second's number of traces. */
export class TraceBudget {
  private readonly config: Pick<Config, 'TRACES_PER_SECOND'>;
  private left: number;
  private lookedAt = performance.now();

  constructor(config: Pick<Config, 'TRACES_PER_SECOND'>) {
    this.config = config;
    this.left = config.TRACES_PER_SECOND;
  }

  /** Takes a token; false if there is none. */
  take(): boolean {
    const { TRACES_PER_SECOND: perSecond } = this.config;
    const now = performance.now();
    this.left = Math.min(perSecond, this.left + ((now - this.lookedAt) / 1_000) * perSecond);
    this.lookedAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
