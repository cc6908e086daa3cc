// Short compared with a turn of the event loop of a busy process.
const SLICE_MS = 0.5;

// Writing to thousands of readers without a rest would take the processors from workers and Redis, and from the readers themselves.
const REST_MS = 3;

// So long is the rest of a process that has no idle moment: at half of what it can do, its calls would notice shorter ones.
const BUSY_REST_MS = 15;

/** Does one small step of a task. False if it was the last one. */
export type Step = () => boolean;

/**
 * Runs tasks of many small steps in slices of half a millisecond with rests in between, so that other work does not wait for all of them.
 * A rest takes 3 ms, and up to 15 ms the more the process is busy with other work. Tasks take turns, step by step.
 */
export class SlicedTasks {
  private queue: Step[] = [];
  private restingSince = performance.eventLoopUtilization();

  /** Adds a task. It must not be added again before its last step. */
  add(step: Step): void {
    this.queue.push(step);
    if (this.queue.length === 1) setImmediate(() => this.run());
  }

  private run(): void {
    const { utilization } = performance.eventLoopUtilization(this.restingSince);
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
    this.restingSince = performance.eventLoopUtilization();
    if (this.queue.length > 0) setTimeout(() => this.run(), REST_MS + utilization * (BUSY_REST_MS - REST_MS));
  }
}
