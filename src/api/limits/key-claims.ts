import { LoopBudget } from '../server/loop-budget.ts';
import { TenantLanes } from '../server/tenant-lanes.ts';

const PER_ORGANIZATION = 32;

/**
 * Claims Idempotency-Keys: a few at a time for each organization, and organizations take turns. A call whose key was used before is answered
 * without waiting for a worker. By the thousand, such calls would keep this process and its connection to Redis busy, and all other requests
 * would wait.
 */
export class KeyClaims {
  private readonly lanes = new TenantLanes<() => void>(PER_ORGANIZATION, () => this.loop.schedule());
  private readonly loop = new LoopBudget((ms) => this.start(ms));

  /** Runs a claim when it is the organization's turn. */
  run<T>(organizationId: string, claim: () => Promise<T>): Promise<T> {
    if (this.lanes.mayBegin(organizationId)) return this.begin(organizationId, claim);
    return new Promise((resolve, reject) => {
      this.lanes.add(organizationId, () => this.begin(organizationId, claim).then(resolve, reject));
      this.loop.schedule();
    });
  }

  private async begin<T>(organizationId: string, claim: () => Promise<T>): Promise<T> {
    const started = this.lanes.begin(organizationId);
    try {
      return await claim();
    } finally {
      this.lanes.end(started);
    }
  }

  private start(ms: number): boolean {
    const until = performance.now() + ms;
    for (let next = this.lanes.take(); next !== undefined; next = this.lanes.take()) {
      next();
      if (performance.now() >= until) break;
    }
    return !this.lanes.isEmpty;
  }
}
