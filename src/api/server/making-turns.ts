const MiB = 1024 * 1024;

// Bytes of answers made at once per organization, or one larger answer: it takes time on every thread that it passes.
const MADE_AT_ONCE = MiB;

// Each large answer leaves several times its size as garbage, which takes time to collect.
const BYTES_PER_SECOND = 32 * MiB;
const BURST = 16 * MiB;
const LOOK_MS = 50;

// A call that takes longer only waits, for a worker or in the slow lane, and the next may go on.
const TURN_MS = 500;

/** Leave to make an answer. */
export interface Turn {
  readonly bytes: number;
  /** Resolves once it has come; null if it came at once. */
  readonly comes: Promise<void> | null;
  come(): void;
  /** When it comes whatever is being made; then when it ends by itself. */
  until: number;
}

interface Making {
  /** Those that have come, oldest first. */
  turns: Set<Turn>;
  /** Of these turns. */
  bytes: number;
  /** Bytes made beyond the rate, as of `at`. */
  ahead: number;
  at: number;
  waiting: Set<Turn>;
  timer: NodeJS.Timeout | null;
}

/** Bounds the large answers of each organization, at once and in bytes per second; others wait. */
export class MakingTurns {
  private readonly makings = new Map<string, Making>();

  /** Takes a turn for these bytes, which comes within `waitMs`; to be given back. */
  take(organizationId: string, bytes: number, waitMs: number): Turn {
    const making = this.makingOf(organizationId);
    const mayCome = making.waiting.size === 0 && mayMake(making, bytes);
    let come = () => {};
    const comes = mayCome ? null : new Promise<void>((resolve) => (come = resolve));
    const turn = { bytes, comes, come, until: performance.now() + waitMs };
    making.waiting.add(turn);
    this.goOn(organizationId, making);
    return turn;
  }

  /** Ends a turn, with the bytes made. */
  giveBack(organizationId: string, turn: Turn, made: number): void {
    const making = this.makingOf(organizationId);
    making.waiting.delete(turn);
    end(making, turn);
    this.note(organizationId, made);
  }

  /** Counts bytes made without a turn. */
  note(organizationId: string, made: number): void {
    const making = this.makingOf(organizationId);
    making.ahead = aheadNow(making) + made;
    this.goOn(organizationId, making);
  }

  /** Whether an organization has made so much that it has to wait. */
  isAhead(organizationId: string): boolean {
    const making = this.makings.get(organizationId);
    return making !== undefined && aheadNow(making) >= BURST;
  }

  private makingOf(organizationId: string): Making {
    const known = this.makings.get(organizationId);
    if (known !== undefined) return known;
    const making: Making = {
      turns: new Set(),
      bytes: 0,
      ahead: 0,
      at: performance.now(),
      waiting: new Set(),
      timer: null,
    };
    this.makings.set(organizationId, making);
    return making;
  }

  private goOn(organizationId: string, making: Making): void {
    for (const turn of making.waiting) {
      if (!mayMake(making, turn.bytes) && performance.now() < turn.until) break;
      making.waiting.delete(turn);
      begin(making, turn);
    }
    if (aheadNow(making) > 0 || making.waiting.size > 0)
      making.timer ??= setTimeout(() => this.lookAgain(organizationId, making), LOOK_MS).unref();
    else if (making.bytes === 0 && making.timer === null) this.makings.delete(organizationId);
  }

  private lookAgain(organizationId: string, making: Making): void {
    making.timer = null;
    this.goOn(organizationId, making);
  }
}

function begin(making: Making, turn: Turn): void {
  turn.until = performance.now() + TURN_MS;
  making.turns.add(turn);
  making.bytes += turn.bytes;
  turn.come();
}

function end(making: Making, turn: Turn): void {
  if (making.turns.delete(turn)) making.bytes -= turn.bytes;
}

function mayMake(making: Making, bytes: number): boolean {
  for (const turn of making.turns) {
    if (performance.now() < turn.until) break;
    end(making, turn);
  }
  return (making.bytes === 0 || making.bytes + bytes <= MADE_AT_ONCE) && aheadNow(making) < BURST;
}

// Updates the debt.
function aheadNow(making: Making): number {
  const now = performance.now();
  making.ahead = Math.max(0, making.ahead - ((now - making.at) * BYTES_PER_SECOND) / 1_000);
  making.at = now;
  return making.ahead;
}
