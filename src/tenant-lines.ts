import type { Logger } from './logger.ts';

// Tenants decide how many of their calls, deliveries and requests fail, and the process waits for the reader of its log.
const LINES_A_SECOND = 200;
const LINES_OF_TENANT = 20;
const SECOND = 1_000;

const allLines = new WeakMap<Logger, TenantLines>();

/**
 * Whether a line may be logged now that is about a call, a delivery or due work of a workspace, or about a request of an organization. With the level
 * `debug`, which logs every one, all may.
 */
export function mayLogLine(log: Logger, tenant: string): boolean {
  if (log.isLevelEnabled('debug')) return true;
  let lines = allLines.get(log);
  if (lines === undefined) {
    lines = new TenantLines(log);
    allLines.set(log, lines);
  }
  return lines.take(tenant);
}

/** Bounds the lines about single calls, deliveries, due work and requests, in all and of a tenant, and tells how many were left out. */
class TenantLines {
  private readonly log: Logger;
  private readonly byTenant = new Map<string, number>();
  private taken = 0;
  private since = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  constructor(log: Logger) {
    this.log = log;
  }

  take(tenant: string): boolean {
    const now = performance.now();
    if (now - this.since >= SECOND) {
      this.since = now;
      this.taken = 0;
      this.byTenant.clear();
    }
    const own = this.byTenant.get(tenant) ?? 0;
    if (this.taken >= LINES_A_SECOND || own >= LINES_OF_TENANT) {
      if (this.leftOut === 0) setTimeout(() => this.tell(), SECOND).unref();
      this.leftOut += 1;
      return false;
    }
    this.byTenant.set(tenant, own + 1);
    this.taken += 1;
    return true;
  }

  private tell(): void {
    this.log.info(
      { lines: this.leftOut },
      'lines about failed and slow calls, failed deliveries, due work that failed and requests not served were left out',
    );
    this.leftOut = 0;
  }
}
