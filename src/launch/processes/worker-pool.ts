import type { SupervisedChild } from './supervise-child.ts';

interface Place {
  child: SupervisedChild;
  isDraining: boolean;
}

/** The worker processes of this machine, of which there may be more or fewer at any time. */
export class WorkerPool {
  // By their numbers, which those that drain keep until they have ended: a number stands for a port.
  private readonly places = new Map<number, Place>();
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

  /** Starts one more, with the lowest number that is free, and gives it. */
  add(): number {
    let number = 1;
    while (this.places.has(number)) number += 1;
    this.places.set(number, { child: this.start(number), isDraining: false });
    return number;
  }

  /** Lets the one with the highest number finish its calls and end, and gives the number. */
  drain(): number {
    const [number, place] = this.running.sort(([a], [b]) => b - a)[0] as [number, Place];
    place.isDraining = true;
    void place.child.stop(this.graceMs).then(() => this.places.delete(number));
    return number;
  }

  async close(): Promise<void> {
    await Promise.all([...this.places.values()].map(({ child }) => child.stop(this.graceMs)));
  }

  kill(): void {
    for (const { child } of this.places.values()) child.kill();
  }

  private get running(): [number, Place][] {
    return [...this.places].filter(([, { isDraining }]) => !isDraining);
  }
}
