const MiB = 1024 * 1024;

// The bytes of answers that are made at once per organization, or else one larger answer. An answer takes time on every thread that it
// passes.
const MADE_AT_ONCE = MiB;

// Each large answer leaves several times its size as garbage, which takes time to collect.
const BYTES_PER_SECOND = 32 * MiB;
const BURST = 16 * MiB;
const POLL_MS = 50;

// A call that takes longer is only waiting, for a worker or in the slow lane: the next one may start.
const PERMIT_MS = 500;

/** Permission to make an answer. */
export interface AnswerPermit {
  readonly bytes: number;
  /** Resolves when the permit is granted; null if that was at once. */
  readonly granted: Promise<void> | null;
  grant(): void;
  /** Before it is granted: when it is granted at the latest. Afterwards: when it ends by itself. */
  until: number;
}

interface Making {
  /** The granted permits, oldest first. */
  permits: Set<AnswerPermit>;
  /** The bytes of these permits. */
  bytes: number;
  /** Bytes made beyond the rate, at the time `at`: the level of a leaky bucket. */
  ahead: number;
  at: number;
  waiting: Set<AnswerPermit>;
  timer: NodeJS.Timeout | null;
}

/** Bounds the large answers of each organization: how many bytes are made at once, and per second. Others wait. */
export class AnswerThrottle {
  private readonly makings = new Map<string, Making>();

  /** Takes a permit for these bytes. It is granted within `waitMs`, and must be given back. */
  take(organizationId: string, bytes: number, waitMs: number): AnswerPermit {
    const making = this.makingOf(organizationId);
    const mayGrant = making.waiting.size === 0 && mayMake(making, bytes);
    let grant = () => {};
    const granted = mayGrant ? null : new Promise<void>((resolve) => (grant = resolve));
    const permit = { bytes, granted, grant, until: performance.now() + waitMs };
    making.waiting.add(permit);
    this.grantWaiting(organizationId, making);
    return permit;
  }

  /** Ends a permit, with the bytes made. */
  giveBack(organizationId: string, permit: AnswerPermit, made: number): void {
    const making = this.makingOf(organizationId);
    making.waiting.delete(permit);
    end(making, permit);
    this.count(organizationId, made);
  }

  /** Counts bytes made without a permit. */
  count(organizationId: string, made: number): void {
    const making = this.makingOf(organizationId);
    making.ahead = aheadNow(making) + made;
    this.grantWaiting(organizationId, making);
  }

  /** Whether an organization has used its burst and has to wait. */
  isAhead(organizationId: string): boolean {
    const making = this.makings.get(organizationId);
    return making !== undefined && aheadNow(making) >= BURST;
  }

  private makingOf(organizationId: string): Making {
    const known = this.makings.get(organizationId);
    if (known !== undefined) return known;
    const making: Making = {
      permits: new Set(),
      bytes: 0,
      ahead: 0,
      at: performance.now(),
      waiting: new Set(),
      timer: null,
    };
    this.makings.set(organizationId, making);
    return making;
  }

  private grantWaiting(organizationId: string, making: Making): void {
    for (const permit of making.waiting) {
      if (!mayMake(making, permit.bytes) && performance.now() < permit.until) break;
      making.waiting.delete(permit);
      begin(making, permit);
    }
    if (aheadNow(making) > 0 || making.waiting.size > 0)
      making.timer ??= setTimeout(() => this.poll(organizationId, making), POLL_MS).unref();
    else if (making.bytes === 0 && making.timer === null) this.makings.delete(organizationId);
  }

  private poll(organizationId: string, making: Making): void {
    making.timer = null;
    // They may wait behind others whose time is not yet over.
    for (const permit of making.waiting) {
      if (performance.now() < permit.until) continue;
      making.waiting.delete(permit);
      begin(making, permit);
    }
    this.grantWaiting(organizationId, making);
  }
}

function begin(making: Making, permit: AnswerPermit): void {
  permit.until = performance.now() + PERMIT_MS;
  making.permits.add(permit);
  making.bytes += permit.bytes;
  permit.grant();
}

function end(making: Making, permit: AnswerPermit): void {
  if (making.permits.delete(permit)) making.bytes -= permit.bytes;
}

function mayMake(making: Making, bytes: number): boolean {
  for (const permit of making.permits) {
    if (performance.now() < permit.until) break;
    end(making, permit);
  }
  return (making.bytes === 0 || making.bytes + bytes <= MADE_AT_ONCE) && aheadNow(making) < BURST;
}

// Lets the bucket leak, and returns its level.
function aheadNow(making: Making): number {
  const now = performance.now();
  making.ahead = Math.max(0, making.ahead - ((now - making.at) * BYTES_PER_SECOND) / 1_000);
  making.at = now;
  return making.ahead;
}
