// One that takes longer is stuck, and must not keep others from being started.
const PATIENCE_MS = 15_000;

/** Counts the worker processes that were started and have not told yet that they run. */
export class StartingWorkers {
  private readonly seenAt = new Map<number, number>();

  /** How many of the processes `pids` are starting at `now`, in ms, where those of `running` run. */
  count(pids: readonly number[], running: readonly number[], now: number): number {
    for (const pid of this.seenAt.keys()) if (!pids.includes(pid)) this.seenAt.delete(pid);
    for (const pid of pids) if (!this.seenAt.has(pid)) this.seenAt.set(pid, now);
    return pids.filter((pid) => !running.includes(pid) && now - (this.seenAt.get(pid) ?? now) < PATIENCE_MS)
      .length;
  }
}
