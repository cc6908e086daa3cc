import type { Logger } from './logger.ts';

// Tenants decide how many of their calls fail, and the process waits for the reader of its log.
const LINES_A_SECOND = 200;
const LINES_OF_WORKSPACE = 20;
const SECOND = 1_000;

const allLines = new WeakMap<Logger, CallLines>();

/** Whether a line about a call of a workspace may be logged now. With the level `debug`, which logs every call, all may. */
export function mayLogCall(log: Logger, workspaceId: string): boolean {
  if (log.isLevelEnabled('debug')) return true;
  let lines = allLines.get(log);
  if (lines === undefined) {
    lines = new CallLines(log);
    allLines.set(log, lines);
  }
  return lines.take(workspaceId);
}

/** Bounds the lines about single calls, in all and of a workspace, and tells how many were left out. */
class CallLines {
  private readonly log: Logger;
  private readonly byWorkspace = new Map<string, number>();
  private taken = 0;
  private since = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  constructor(log: Logger) {
    this.log = log;
  }

  take(workspaceId: string): boolean {
    const now = performance.now();
    if (now - this.since >= SECOND) {
      this.since = now;
      this.taken = 0;
      this.byWorkspace.clear();
    }
    const own = this.byWorkspace.get(workspaceId) ?? 0;
    if (this.taken >= LINES_A_SECOND || own >= LINES_OF_WORKSPACE) {
      if (this.leftOut === 0) setTimeout(() => this.tell(), SECOND).unref();
      this.leftOut += 1;
      return false;
    }
    this.byWorkspace.set(workspaceId, own + 1);
    this.taken += 1;
    return true;
  }

  private tell(): void {
    this.log.info({ lines: this.leftOut }, 'lines about failed and slow calls were left out');
    this.leftOut = 0;
  }
}
