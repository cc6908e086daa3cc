// The shortest rest that a timer can make.
const REST_MIN_MS = 1;

/**
 * Runs tasks of milliseconds, those of each organization in their order and organizations in turns, and rests for as long as they took.
 * So they have half of the time at most, and what needs several turns of the event loop, as a call does, does not meet one of them in each.
 */
export class OneATurn {
  /** By organization; whose turn it is stands first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isRunning = false;
  /** How long those have taken for which it has not rested. */
  private tookMs = 0;

  /** Adds a task, which must not throw. */
  add(organizationId: string, work: () => void): void {
    const line = this.waiting.get(organizationId);
    if (line === undefined) this.waiting.set(organizationId, [work]);
    else line.push(work);
    if (this.isRunning) return;
    this.isRunning = true;
    setImmediate(() => this.run());
  }

  /** Resolves when it is the turn of what follows. */
  next(organizationId: string): Promise<void> {
    return new Promise((resolve) => this.add(organizationId, resolve));
  }

  private run(): void {
    const work = this.take();
    this.isRunning = work !== undefined;
    if (work === undefined) return;
    const startedAt = performance.now();
    work();
    // Behind what the task has set off.
    setImmediate(() => {
      this.tookMs += performance.now() - startedAt;
      if (this.tookMs < REST_MIN_MS) return this.run();
      setTimeout(() => this.run(), this.tookMs);
      this.tookMs = 0;
    });
  }

  private take(): (() => void) | undefined {
    for (const [organizationId, line] of this.waiting) {
      const work = line.shift();
      this.waiting.delete(organizationId);
      if (line.length > 0) this.waiting.set(organizationId, line);
      return work;
    }
    return undefined;
  }
}

/** Bodies of which this is the least size take milliseconds to parse and to check. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** For these. */
export const largeBodies = new OneATurn();
