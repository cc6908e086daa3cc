/**
 * Runs tasks of milliseconds in order, and rests after each for as long as it took. So they have half of the time at most, and what needs
 * several turns of the event loop, as a call does, does not meet one of them in each.
 */
export class OneATurn {
  private readonly waiting: (() => void)[] = [];
  private isRunning = false;

  /** Adds a task, which must not throw. */
  add(work: () => void): void {
    this.waiting.push(work);
    if (this.isRunning) return;
    this.isRunning = true;
    setImmediate(() => this.run());
  }

  /** Resolves when it is the turn of what follows. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  private run(): void {
    const work = this.waiting.shift();
    this.isRunning = work !== undefined;
    if (work === undefined) return;
    const startedAt = performance.now();
    work();
    // Behind what the task has set off.
    setImmediate(() => setTimeout(() => this.run(), performance.now() - startedAt));
  }
}

/** For bodies that take milliseconds to parse and to check. */
export const largeBodies = new OneATurn();
