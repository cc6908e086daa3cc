// Requests start as they are read for `AT_ONCE_MS` of every `OF_MS`. Later ones wait, and others are read in between.
const AT_ONCE_MS = 2;
const OF_MS = 8;

// For how long those that have waited start in one turn of the event loop.
const TURN_MS = 2;

/** Shares out the time of the event loop: what does not fit into a turn is done in the next ones. */
export class LoopTurns {
  private readonly work: (ms: number) => boolean;
  private isScheduled = false;
  private since = Number.NEGATIVE_INFINITY;

  /** `work` does what waits, for the given milliseconds of each kind. It says whether more waits. */
  constructor(work: (ms: number) => boolean) {
    this.work = work;
  }

  /** Whether there is time for what has just come. */
  hasTime(): boolean {
    const now = performance.now();
    if (now - this.since >= OF_MS) this.since = now;
    return now - this.since < AT_ONCE_MS;
  }

  /** Has what waits done at the end of this turn. */
  schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.run());
  }

  private run(): void {
    this.isScheduled = false;
    if (this.work(TURN_MS)) this.schedule();
  }
}
