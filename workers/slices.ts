const SLICE_MS = 10;

/**
 * Lets those who each keep the process busy for a while go on one after another, for ten milliseconds at a time and no longer: what
 * else the process does, such as sending the replies of those who are done, need not wait for all of them. What counts is what they
 * do before they first wait for something.
 */
export class Slices {
  private line: (() => void)[] = [];
  /** When the slice is over; null while there is none. */
  private until: number | null = null;

  /** Resolves when it is the caller's turn; undefined when that is now. First come, first served. */
  next(): Promise<void> | undefined {
    if (this.until === null) this.begin();
    else if (this.line.length > 0 || performance.now() >= this.until)
      return new Promise((resolve) => this.line.push(resolve));
    return undefined;
  }

  private begin(): number {
    // Behind whatever those who go on have set off for the next turn of the event loop, as replies are.
    setImmediate(() => setImmediate(() => void this.end()));
    this.until = performance.now() + SLICE_MS;
    return this.until;
  }

  private async end(): Promise<void> {
    this.until = null;
    if (this.line.length === 0) return;
    const until = this.begin();
    while (this.line.length > 0 && performance.now() < until) {
      this.line.shift()?.();
      // Whose turn it is goes on before this does.
      await null;
    }
  }
}

/** The slices in which all calls of this process work on what they have read, where that is much. */
export const readingSlices = new Slices();
