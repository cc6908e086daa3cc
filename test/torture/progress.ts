import type { Attempt } from './history.ts';

/** What a run has done so far, for its progress line and its summary. */
export class Progress {
  /** Attempts by status and code. */
  readonly answers = new Map<string, number>();
  /** Disturbances that have ended, by kind. */
  readonly chaos = new Map<string, number>();
  calls = 0;
  attempts = 0;

  noteAttempt({ attempt, status, code }: Attempt): void {
    if (attempt === 1) this.calls += 1;
    this.attempts += 1;
    add(this.answers, status === 200 || status === 202 ? String(status) : `${status} ${code}`);
  }

  noteChaos(kind: string): void {
    add(this.chaos, kind);
  }

  /** The line that is shown while the run goes on. */
  line(seconds: number, lag: { inFlight: number; heldBack: number; updates: number }): string {
    const chaos = [...this.chaos.values()].reduce((sum, count) => sum + count, 0);
    const answers = listed(this.answers);
    const { inFlight, heldBack, updates } = lag;
    const load = `${inFlight} under way, ${heldBack} held back`;
    return `${seconds.toFixed(0)} s: ${this.calls} calls (${load}); ${answers}; ${chaos} disturbances; ${updates} updates`;
  }
}

/** Counts as one line, the largest first. */
export function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none';
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
