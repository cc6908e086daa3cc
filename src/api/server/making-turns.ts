const MiB = 1024 * 1024;

// Bytes of answers made at once per organization, or one larger answer: it takes time on every thread that it passes.
const MADE_AT_ONCE = MiB;

// Each large answer leaves several times its size as garbage, which takes time to collect.
const BYTES_PER_SECOND = 32 * MiB;
const BURST = 16 * MiB;
const LOOK_MS = 50;

interface Making {
  bytes: number;
  /** Bytes made beyond the rate, as of `at`. */
  ahead: number;
  at: number;
  waiting: { bytes: number; resolve(): void }[];
  timer: NodeJS.Timeout | null;
}

/** Bounds the large answers of each organization, at once and in bytes per second; others wait. */
export class MakingTurns {
  private readonly makings = new Map<string, Making>();

  /** Waits until these bytes may be made; null if that is now. */
  take(organizationId: string, bytes: number): Promise<void> | null {
    const making = this.makingOf(organizationId);
    if (making.waiting.length > 0 || !mayMake(making, bytes))
      return new Promise((resolve) => {
        making.waiting.push({ bytes, resolve });
        this.goOn(organizationId, making);
      });
    making.bytes += bytes;
    return null;
  }

  /** Ends a turn, with the bytes made. */
  giveBack(organizationId: string, bytes: number, made: number): void {
    const making = this.makingOf(organizationId);
    making.bytes -= bytes;
    making.ahead = aheadNow(making) + made;
    this.goOn(organizationId, making);
  }

  /** Counts bytes made without a turn. */
  note(organizationId: string, made: number): void {
    this.giveBack(organizationId, 0, made);
  }

  /** Whether an organization has made so much that it has to wait. */
  isAhead(organizationId: string): boolean {
    const making = this.makings.get(organizationId);
    return making !== undefined && aheadNow(making) >= BURST;
  }

  private makingOf(organizationId: string): Making {
    const known = this.makings.get(organizationId);
    if (known !== undefined) return known;
    const making = { bytes: 0, ahead: 0, at: performance.now(), waiting: [], timer: null };
    this.makings.set(organizationId, making);
    return making;
  }

  private goOn(organizationId: string, making: Making): void {
    for (let next = making.waiting[0]; next && mayMake(making, next.bytes); next = making.waiting[0]) {
      making.waiting.shift();
      making.bytes += next.bytes;
      next.resolve();
    }
    const ahead = aheadNow(making);
    if (ahead > 0) making.timer ??= setTimeout(() => this.lookAgain(organizationId, making), LOOK_MS).unref();
    else if (making.bytes === 0 && making.timer === null) this.makings.delete(organizationId);
  }

  private lookAgain(organizationId: string, making: Making): void {
    making.timer = null;
    this.goOn(organizationId, making);
  }
}

function mayMake(making: Making, bytes: number): boolean {
  return (making.bytes === 0 || making.bytes + bytes <= MADE_AT_ONCE) && aheadNow(making) < BURST;
}

// Updates the debt.
function aheadNow(making: Making): number {
  const now = performance.now();
  making.ahead = Math.max(0, making.ahead - ((now - making.at) * BYTES_PER_SECOND) / 1_000);
  making.at = now;
  return making.ahead;
}
