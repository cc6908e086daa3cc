const MiB = 1024 * 1024;

// The bytes of answers that are made at once per organization, or else one larger answer. An answer takes time on every thread that it
// passes.
const MADE_AT_ONCE = MiB;

// Each large answer leaves several times its size as garbage, which takes time to collect.
const BYTES_PER_SECOND = 32 * MiB;
const BURST = 16 * MiB;
const LOOK_MS = 50;

// A call that takes longer is only waiting, for a worker or in the slow lane: the next one may start.
const TURN_MS = 500;

/** Permission to make an answer. */
export interface Turn {
  readonly bytes: number;
  /** Resolves when the turn comes; null if it came at once. */
  readonly comes: Promise<void> | null;
  come(): void;
  /** Before the turn has come: when it comes at the latest. Afterwards: when it ends by itself. */
  until: number;
}

interface Making {
  /** The turns that have come, oldest first. */
  turns: Set<Turn>;
  /** The bytes of these turns. */
  bytes: number;
  /** Bytes made beyond the rate, at the time `at`: the level of a leaky bucket. */
  ahead: number;
  at: number;
  waiting: Set<Turn>;
  timer: NodeJS.Timeout | null;
}

/** Bounds the large answers of each organization: how many bytes are made at once, and per second. Others wait. */
export class MakingTurns {
  private readonly makings = new Map<string, Making>();

  /** Takes a turn for these bytes. It comes within `waitMs`, and must be given back. */
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

  /** Whether an organization has used its burst and has to wait. */
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

// Lets the bucket leak, and returns its level.
function aheadNow(making: Making): number {
  const now = performance.now();
  making.ahead = Math.max(0, making.ahead - ((now - making.at) * BYTES_PER_SECOND) / 1_000);
  making.at = now;
  return making.ahead;
}
