/** Runs one task per turn of the event loop, in order, so that many tasks of milliseconds do not hold up everything else. */
export class OneATurn {
  private readonly waiting: (() => void)[] = [];

  /** Adds a task, which must not throw. */
  add(work: () => void): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) setImmediate(() => this.run());
  }

  private run(): void {
    this.waiting[0]?.();
    this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(() => this.run());
  }
}
