import { TenantLanes } from '../server/tenant-lanes.ts';

const PER_ORGANIZATION = 32;
const STARTED_A_TURN = 64;

/**
 * Claims Idempotency-Keys a few at a time for each organization, which take turns. A key that was used before passes no other bound: by the
 * thousand, such calls would keep this process and its connection to Redis busy, and all other requests wait.
 */
export class KeyClaims {
  private readonly lanes = new TenantLanes<() => void>(PER_ORGANIZATION, () => this.schedule());
  private isScheduled = false;

  /** Runs a claim when it is the organization's turn. */
  run<T>(organizationId: string, claim: () => Promise<T>): Promise<T> {
    if (this.lanes.mayBegin(organizationId)) return this.begin(organizationId, claim);
    return new Promise((resolve, reject) => {
      this.lanes.add(organizationId, () => this.begin(organizationId, claim).then(resolve, reject));
      this.schedule();
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

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.start();
    });
  }

  private start(): void {
    for (let left = STARTED_A_TURN; left > 0; left -= 1) {
      const next = this.lanes.take();
      if (next === undefined) return;
      next();
    }
    if (!this.lanes.isEmpty) this.schedule();
  }
}
