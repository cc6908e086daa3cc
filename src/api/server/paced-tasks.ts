// The shortest timeout of a timer.
const REST_MIN_MS = 1;

interface Task {
  weight: number;
  work(): void;
}

/** How many tasks, by their weights, run in a turn of the event loop, and whether there is a pause behind those that took long. */
export interface Pace {
  perTurn: number;
  rests: boolean;
}

/**
 * Runs tasks that take milliseconds, and pauses after each for as long as it took, so that tasks take at most half of the time. Tasks of
 * one organization run in order; organizations take turns. So a call, which needs several turns of the event loop, is not delayed by a task
 * in each of them. Tasks that take far less need no pause: a few run in each turn.
 */
export class PacedTasks {
  /** By organization, the next one first. */
  private readonly waiting = new Map<string, Task[]>();
  private readonly pace: Pace;
  private isRunning = false;
  /** The time taken by tasks since the last pause. */
  private tookMs = 0;

  constructor(pace: Pace = { perTurn: 1, rests: true }) {
    this.pace = pace;
  }

  /** Adds a task. It must not throw. One that does the work of several weighs as much as they do. */
  add(organizationId: string, work: () => void, weight = 1): void {
    const line = this.waiting.get(organizationId);
    if (line === undefined) this.waiting.set(organizationId, [{ work, weight }]);
    else line.push({ work, weight });
    if (this.isRunning) return;
    this.isRunning = true;
    setImmediate(() => this.run());
  }

  /** Resolves when the caller's turn comes. */
  next(organizationId: string, weight = 1): Promise<void> {
    return new Promise((resolve) => this.add(organizationId, resolve, weight));
  }

  private run(): void {
    this.isRunning = this.waiting.size > 0;
    if (!this.isRunning) return;
    const startedAt = performance.now();
    for (let left = this.pace.perTurn; left > 0 && this.waiting.size > 0; ) {
      const task = this.take();
      task?.work();
      left -= task?.weight ?? 0;
    }
    // After the callbacks that the tasks have scheduled.
    setImmediate(() => {
      if (!this.pace.rests) return this.run();
      this.tookMs += performance.now() - startedAt;
      if (this.tookMs < REST_MIN_MS) return this.run();
      setTimeout(() => this.run(), this.tookMs);
      this.tookMs = 0;
    });
  }

  private take(): Task | undefined {
    for (const [organizationId, line] of this.waiting) {
      const task = line.shift();
      this.waiting.delete(organizationId);
      if (line.length > 0) this.waiting.set(organizationId, line);
      return task;
    }
    return undefined;
  }
}

/** Bodies of at least this size take milliseconds to parse and validate. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** Queues the parsing and validation of large bodies. */
export const largeBodies = new PacedTasks();
