import type { Child } from '../rig/child.ts';
import type { StartedDesign } from '../rig/start-design.ts';

/** A change of the number of workers, by the clock of this process. */
export interface Change {
  atMs: number;
  by: 1 | -1;
}

/** The worker processes of a design, of which an autoscaler starts and drains some. */
export class WorkerCrew {
  readonly changes: Change[] = [];
  private readonly started: StartedDesign;
  private readonly draining = new Set<Child>();

  constructor(started: StartedDesign) {
    this.started = started;
  }

  /** Those that run and do not drain. */
  get count(): number {
    return this.running.length;
  }

  get pids(): number[] {
    return this.running.map(({ pid }) => pid);
  }

  /** Every process that runs. */
  get processes(): number {
    return this.started.workers.filter(({ isRunning }) => isRunning).length;
  }

  add(): number {
    this.note(1);
    return this.started.addWorker().pid;
  }

  drain(): number {
    this.note(-1);
    const worker = this.running.at(-1) as Child;
    this.draining.add(worker);
    void worker.stop();
    return worker.pid;
  }

  /** Kills one. */
  kill(): void {
    this.running[0]?.process.kill('SIGKILL');
  }

  private get running(): Child[] {
    return this.started.workers.filter((worker) => worker.isRunning && !this.draining.has(worker));
  }

  private note(by: Change['by']): void {
    this.changes.push({ atMs: performance.now(), by });
  }
}
