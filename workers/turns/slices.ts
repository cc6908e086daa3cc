import { TenantLines } from './tenant-lines.ts';

const SLICE_MS = 4;

/**
 * Runs calls in slices of a few milliseconds, so that other work of the process, such as sending replies, goes on in between. Only what a
 * call does before it first waits for something counts. Workspaces take turns: one with a single call does not wait for one with many.
 */
export class Slices {
  private readonly waiting = new TenantLines<() => void>();
  private readonly sliceMs: number;
  /** When the slice is over; null while there is none. */
  private until: number | null = null;

  constructor(sliceMs = SLICE_MS) {
    this.sliceMs = sliceMs;
  }

  /** Resolves when it is the turn of a call of `tenant`; undefined when that is now. */
  next(tenant: string): Promise<void> | undefined {
    if (this.until === null) this.begin();
    else if (!this.waiting.isEmpty || performance.now() >= this.until)
      return new Promise((resolve) => this.waiting.push(tenant, resolve));
    return undefined;
  }

  private begin(): number {
    // Behind whatever those who go on have set off for the next turn of the event loop, as replies are.
    setImmediate(() => setImmediate(() => void this.end()));
    this.until = performance.now() + this.sliceMs;
    return this.until;
  }

  private async end(): Promise<void> {
    this.until = null;
    if (this.waiting.isEmpty) return;
    const until = this.begin();
    while (!this.waiting.isEmpty && performance.now() < until) {
      this.waiting.shift()?.();
      // The call whose turn it is runs before this goes on.
      await null;
    }
  }
}

/** The slices in which all calls of this process work on what they have read, where that is much. */
export const readingSlices = new Slices();
