// Short compared with a turn of the event loop of a busy process.
const SLICE_MS = 0.5;

// Writing to thousands of readers without a rest would take the processors from workers and Redis, and from the readers themselves. With
// shorter rests, calls notice it at half of what a process can do.
const REST_MS = 3;

/** Does one small step of a task. False if it was the last one. */
export type Step = () => boolean;

/**
 * Runs tasks of many small steps in slices of half a millisecond, with a rest of three or four milliseconds in between, so that other
 * work does not wait for all of them. Tasks take turns, step by step.
 */
export class SlicedTasks {
  private queue: Step[] = [];

  /** Adds a task. It must not be added again before its last step. */
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
    if (this.queue.length > 0) setTimeout(() => this.run(), REST_MS);
  }
}
