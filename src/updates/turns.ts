// Short beside what a turn of a busy process takes anyway; switching costs little.
const SLICE_MS = 0.5;

/** Takes a small step of something; false when that was the last. */
export type Step = () => boolean;

/**
 * Does what takes many small steps in slices of half a millisecond, one a turn of the event loop: what else the process does
 * need not wait for all of it. Whoever has steps to take takes them in turn with all others.
 */
export class Turns {
  private queue: Step[] = [];

  /** Adds something with steps to take; not again before its last. */
  add(step: Step): void {
    this.queue.push(step);
    if (this.queue.length === 1) setImmediate(() => this.run());
  }

  private run(): void {
    const until = performance.now() + SLICE_MS;
    let at = 0;
    let left: Step[] = [];
    do {
      const step = this.queue[at++] as Step;
      if (step()) left.push(step);
      if (at === this.queue.length) {
        this.queue = left;
        left = [];
        at = 0;
      }
    } while (this.queue.length > 0 && performance.now() < until);
    if (at > 0) this.queue = this.queue.slice(at).concat(left);
    if (this.queue.length > 0) setImmediate(() => this.run());
  }
}
