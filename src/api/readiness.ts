import { setImmediate as nextTurn } from 'node:timers/promises';

/** Checks something that requests need. Resolves with null if it works, else with a word or two. */
export type ReadinessCheck = () => Promise<string | null>;

/** The results of the checks by name, `ok` or what is wrong. */
export interface ReadinessReport {
  isReady: boolean;
  checks: Record<string, string>;
}

const FRESH_MS = 1_000;
const PATIENCE_MS = 1_000;

/**
 * Runs named checks on demand, at most once a second; concurrent requests share the result. A check that rejects or takes
 * longer than a second is `unreachable`. `notes` are reported too, and do not affect readiness.
 */
export class Readiness {
  private readonly checks: Record<string, ReadinessCheck>;
  private readonly notes: Record<string, ReadinessCheck>;
  private latest: Promise<ReadinessReport> | null = null;
  /** Infinite while the checks run. */
  private staleAt = 0;

  constructor(checks: Record<string, ReadinessCheck>, notes: Record<string, ReadinessCheck> = {}) {
    this.checks = checks;
    this.notes = notes;
  }

  report(): Promise<ReadinessReport> {
    if (this.latest === null || performance.now() >= this.staleAt) {
      this.staleAt = Number.POSITIVE_INFINITY;
      this.latest = this.runChecks();
    }
    return this.latest;
  }

  private async runChecks(): Promise<ReadinessReport> {
    const names = Object.keys({ ...this.checks, ...this.notes });
    const found = await Promise.all(Object.values({ ...this.checks, ...this.notes }).map(findWrong));
    const decisive = found.slice(0, Object.keys(this.checks).length);
    this.staleAt = performance.now() + FRESH_MS;
    return {
      isReady: decisive.every((wrong) => wrong === null),
      checks: Object.fromEntries(names.map((name, index) => [name, found[index] ?? 'ok'])),
    };
  }
}

async function findWrong(check: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    // In a process that stood still, timers run before the answers that have come are read.
    timer = setTimeout(() => void nextTurn('unreachable').then(resolve), PATIENCE_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
