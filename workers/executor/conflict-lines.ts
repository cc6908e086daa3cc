import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../src/problem.ts';

const CONFLICTS_MAX = 60;
const BACKOFF_MAX_MS = 20;

// Most calls commit at the second attempt.
const CONFLICTS_BEFORE_LINE = 2;

// A run waits for others only so long: should one of them wait for something that this run holds, both go on.
const WAIT_MAX_MS = 10_000;

/**
 * Repeats attempts after conflicts. Runs of a workspace that conflict again and again go on one after another: if all tried again at once,
 * only one could commit each time, and their attempts would grow with the square of their number.
 */
export class ConflictLines {
  /** By workspace: resolves when all that have joined the line have left it. */
  private readonly lines = new Map<string, Promise<void>>();
  private readonly waitMaxMs: number;

  constructor(waitMaxMs = WAIT_MAX_MS) {
    this.waitMaxMs = waitMaxMs;
  }

  /**
   * Repeats `act` while it returns null, which means a conflict; it gets the number of conflicts so far. Throws `overloaded` after too many,
   * and the reason of `signal` if that aborts meanwhile.
   */
  async repeat<T>(
    { workspaceId, signal }: { workspaceId: string; signal: AbortSignal },
    act: (conflicts: number) => Promise<T | null>,
  ): Promise<T> {
    let leave: (() => void) | undefined;
    try {
      for (let conflicts = 1; ; conflicts += 1) {
        const outcome = await act(conflicts - 1);
        if (outcome !== null) return outcome;
        if (conflicts >= CONFLICTS_MAX)
          throw new Problem('overloaded', { detail: 'Too many calls change the same thing at once.' });
        signal.throwIfAborted();
        if (conflicts === CONFLICTS_BEFORE_LINE) leave = await this.join(workspaceId, signal);
        // Runs outside of the line, and those of other workers, may be first.
        else await sleep(Math.random() * Math.min(2 ** (conflicts - 1), BACKOFF_MAX_MS));
        signal.throwIfAborted();
      }
    } finally {
      leave?.();
    }
  }

  // Resolves when the run is first in the line, has waited too long or is to stop. Returns what lets the next one go on.
  private async join(workspaceId: string, signal: AbortSignal): Promise<() => void> {
    const ahead = this.lines.get(workspaceId);
    let leave = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const all = ahead === undefined ? turn : ahead.then(() => turn);
    this.lines.set(workspaceId, all);
    void all.then(() => {
      if (this.lines.get(workspaceId) === all) this.lines.delete(workspaceId);
    });
    if (ahead !== undefined) await within(ahead, this.waitMaxMs, signal);
    return leave;
  }
}

function within(settled: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    // Calls without a signal of their own share one.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', end);
    void settled.then(end);
  });
}
