import { TenantLines } from './tenant-lines.ts';

const SLICE_MS = 4;

/**
 * Runs calls in time slices of a few milliseconds, and yields to the event loop in between, so that other work, such as sending replies,
 * goes on. Only a call's synchronous work before its first wait counts. Workspaces take turns: one with a single call does not wait behind
 * one with many.
 */
export class Slices {
  private readonly waiting = new TenantLines<() => void>();
  private readonly sliceMs: number;
  /** When the current slice ends; null between slices. */
  private until: number | null = null;

  constructor(sliceMs = SLICE_MS) {
    this.sliceMs = sliceMs;
  }

  /** Resolves when a call of `tenant` may run; undefined if it may run now. */
  next(tenant: string): Promise<void> | undefined {
    if (this.until === null) this.begin();
    else if (!this.waiting.isEmpty || performance.now() >= this.until)
      return new Promise((resolve) => this.waiting.push(tenant, resolve));
    return undefined;
  }

  private begin(): number {
    // Two turns of the event loop later: after what the resumed calls have scheduled for the next one, such as replies.
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
      // Lets the resumed call run first.
      await null;
    }
  }
}

/** The slices in which calls of this process handle large results of reads. */
export const readingSlices = new Slices();
