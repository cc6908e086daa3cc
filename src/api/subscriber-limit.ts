import { Problem } from '../problem.ts';
import type { Principal } from '../store/principal.ts';

const RETRY_AFTER_SECONDS = '5';

/** Counts the live reads that each API key holds open at this process, and refuses those beyond a number. */
export class SubscriberLimit {
  private readonly most: number;
  private readonly counts = new Map<string, number>();

  constructor(most: number) {
    this.most = most;
  }

  /** Takes a place, or throws `rate_limited`; the function that comes back gives the place up again. */
  take(principal: Principal): () => void {
    const key = principal.kind === 'root' ? 'root' : principal.keyId;
    const count = this.counts.get(key) ?? 0;
    if (count >= this.most) {
      throw new Problem('rate_limited', {
        detail: `This API key has ${this.most} live reads open here already, which is as many as it may.`,
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      });
    }
    this.counts.set(key, count + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.counts.get(key) ?? 1) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    };
  }
}
