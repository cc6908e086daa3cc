/** Looks at one thing that requests need; resolves with null when it is well, else with what is wrong in a word or two. */
export type ReadinessCheck = () => Promise<string | null>;

/** What the checks found, by name: `ok` or what is wrong. */
export interface ReadinessReport {
  isReady: boolean;
  checks: Record<string, string>;
}

const FRESH_MS = 1_000;
const PATIENCE_MS = 1_000;

/**
 * Runs named checks when someone asks, at most about once a second: everyone who asks meanwhile shares the answer. A check that rejects or
 * takes longer than a second counts as `unreachable`. `notes` are told with the checks and nobody is less ready for them.
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
      this.latest = this.look();
    }
    return this.latest;
  }

  private async look(): Promise<ReadinessReport> {
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
    timer = setTimeout(resolve, PATIENCE_MS, 'unreachable');
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
