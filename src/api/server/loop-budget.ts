// For `AT_ONCE_MS` of every `OF_MS`, requests start as soon as they are read. Later ones wait, while other connections are read.
const AT_ONCE_MS = 2;
const OF_MS = 8;

// How long waiting requests are started in one turn of the event loop.
const TURN_MS = 2;

// Node accepts one connection in a turn, and others wait behind it. While they come, work waits for so long, and then has a turn.
const ACCEPTING_MS = 4;

/** Limits the work in one turn of the event loop: what does not fit is done in the next turns. */
export class LoopBudget {
  private readonly work: (ms: number) => boolean;
  private isScheduled = false;
  private since = Number.NEGATIVE_INFINITY;
  private hasAccepted = false;
  private acceptingSince: number | null = null;

  /**
   * `work` does waiting work for about the given milliseconds, once for each kind of work; with 0, only what every turn needs. It returns
   * whether more waits.
   */
  constructor(work: (ms: number) => boolean) {
    this.work = work;
  }

  /** Whether a request that has just arrived may start at once. */
  hasTime(): boolean {
    const now = performance.now();
    if (now - this.since >= OF_MS) this.since = now;
    return now - this.since < AT_ONCE_MS;
  }

  /** Tells of a new connection: more of them may wait, one for each turn, so the next turns are short. */
  accepted(): void {
    this.hasAccepted = true;
  }

  /** Runs `work` at the end of this turn. */
  schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.run());
  }

  private run(): void {
    this.isScheduled = false;
    if (this.work(this.isAccepting() ? 0 : TURN_MS)) this.schedule();
  }

  private isAccepting(): boolean {
    const now = performance.now();
    const since = this.acceptingSince ?? now;
    const isAccepting = this.hasAccepted && now - since < ACCEPTING_MS;
    this.acceptingSince = isAccepting ? since : null;
    this.hasAccepted = false;
    return isAccepting;
  }
}
