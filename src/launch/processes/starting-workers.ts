// A worker that takes longer is stuck, and must not keep others from being started.
const PATIENCE_MS = 15_000;

/** Counts the worker processes that were started and are not yet reported as running. */
export class StartingWorkers {
  private readonly seenAt = new Map<number, number>();

  /** How many of the processes `pids` are starting at `now` (ms); `running` are the pids reported as running. */
  count(pids: readonly number[], running: readonly number[], now: number): number {
    for (const pid of this.seenAt.keys()) if (!pids.includes(pid)) this.seenAt.delete(pid);
    for (const pid of pids) if (!this.seenAt.has(pid)) this.seenAt.set(pid, now);
    return pids.filter((pid) => !running.includes(pid) && now - (this.seenAt.get(pid) ?? now) < PATIENCE_MS)
      .length;
  }
}
