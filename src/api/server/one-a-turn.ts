/**
 * Does one piece of work in each turn of the event loop, in the order in which they came. What takes milliseconds is then no
 * standstill when many ask for it at once: what else has come is served in between.
 */
export class OneATurn {
  private readonly waiting: (() => void)[] = [];

  /** Adds a piece of work; it must not throw. */
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
