const SLICE_MS = 4;

/**
 * Lets calls that each keep the process busy for a while go on one after another, for a few milliseconds at a time and no longer: what
 * else the process does, such as sending the replies of those that are done, need not wait for all of them. What counts is what they
 * do before they first wait for something. Tenants take turns (round robin), so that one with many calls holds up nobody's one.
 */
export class Slices {
  /** Those who wait, by tenant; the tenant whose turn is next comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  /** When the slice is over; null while there is none. */
  private until: number | null = null;

  /** Resolves when it is the turn of a call of `tenant`; undefined when that is now. First come, first served within a tenant. */
  next(tenant: string): Promise<void> | undefined {
    if (this.until === null) this.begin();
    else if (this.lines.size > 0 || performance.now() >= this.until)
      return new Promise((resolve) => this.push(tenant, resolve));
    return undefined;
  }

  private push(tenant: string, resolve: () => void): void {
    const line = this.lines.get(tenant);
    if (line === undefined) this.lines.set(tenant, [resolve]);
    else line.push(resolve);
  }

  private begin(): number {
    // Behind whatever those who go on have set off for the next turn of the event loop, as replies are.
    setImmediate(() => setImmediate(() => void this.end()));
    this.until = performance.now() + SLICE_MS;
    return this.until;
  }

  private async end(): Promise<void> {
    this.until = null;
    if (this.lines.size === 0) return;
    const until = this.begin();
    while (this.lines.size > 0 && performance.now() < until) {
      this.letGo();
      // Whose turn it is goes on before this does.
      await null;
    }
  }

  private letGo(): void {
    for (const [tenant, line] of this.lines) {
      this.lines.delete(tenant);
      line.shift()?.();
      if (line.length > 0) this.lines.set(tenant, line);
      return;
    }
  }
}

/** The slices in which all calls of this process work on what they have read, where that is much. */
export const readingSlices = new Slices();
