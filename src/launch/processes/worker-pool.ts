import type { SupervisedChild } from './supervise-child.ts';

interface PoolWorker {
  child: SupervisedChild;
  isDraining: boolean;
}

/** The worker processes of this machine, of which there may be more or fewer at any time. */
export class WorkerPool {
  // By number. A draining worker keeps its number until it has ended, because the number stands for a port.
  private readonly workers = new Map<number, PoolWorker>();
  private readonly start: (number: number) => SupervisedChild;
  private readonly graceMs: number;

  constructor(options: { start: (number: number) => SupervisedChild; graceMs: number }) {
    this.start = options.start;
    this.graceMs = options.graceMs;
  }

  /** How many there are that do not drain. */
  get count(): number {
    return this.running.length;
  }

  /** The process ids of those that do not drain. */
  get pids(): number[] {
    return this.running.flatMap(([, { child }]) => child.pid ?? []);
  }

  /** Starts one more, with the lowest free number, and returns the number. */
  add(): number {
    let number = 1;
    while (this.workers.has(number)) number += 1;
    this.workers.set(number, { child: this.start(number), isDraining: false });
    return number;
  }

  /** Lets the one with the highest number finish its calls and end, and returns the number. */
  drain(): number {
    const [number, worker] = this.running.sort(([a], [b]) => b - a)[0] as [number, PoolWorker];
    worker.isDraining = true;
    void worker.child.stop(this.graceMs).then(() => this.workers.delete(number));
    return number;
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers.values()].map(({ child }) => child.stop(this.graceMs)));
  }

  kill(): void {
    for (const { child } of this.workers.values()) child.kill();
  }

  private get running(): [number, PoolWorker][] {
    return [...this.workers].filter(([, { isDraining }]) => !isDraining);
  }
}
