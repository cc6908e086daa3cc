import { afterEach, expect, it } from 'vitest';
import { DISTURBANCES } from '../torture/chaos/plan-chaos.ts';
import { renderSummary } from '../torture/render-summary.ts';
import { type Outcome, type RunOptions, runTorture } from '../torture/run-torture.ts';

// One server, always: that everything it acknowledged is there again after a restart is what the checks rest on, where a failover may
// lose some of it. Failovers have tests of their own.
const SEED = 7;
// Few enough calls for a slow machine with two cores; a faster one gains nothing from more of them here.
const RATE = 60;
const LIMIT_MS = 240_000;

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function torture(options: Partial<RunOptions>): Promise<Outcome> {
  const stop = new AbortController();
  stops.push(stop);
  return runTorture(
    { seed: SEED, minutes: 0.3, rate: RATE, kinds: DISTURBANCES, defect: undefined, ...options },
    { say: () => undefined, signal: stop.signal },
  );
}

it(
  'keeps every promise while processes, Redis and the network fail',
  async () => {
    const outcome = await torture({});
    expect(outcome.violations, renderSummary(outcome)).toEqual([]);
    const { answers, chaos } = outcome.progress;
    expect(answers.get('200')).toBeGreaterThan(50);
    expect(answers.get('202')).toBeGreaterThan(5);
    expect(chaos.size).toBeGreaterThan(3);
  },
  LIMIT_MS,
);

it(
  'notices when a worker answers and does not commit',
  async () => {
    const { violations } = await torture({ minutes: 0.1, kinds: ['script-flush'], defect: 'drop-commits' });
    expect(violations.map(({ rule }) => rule)).toContain('lost');
  },
  LIMIT_MS,
);

it(
  'notices when a worker records how an async call ended before its commit',
  async () => {
    const { violations } = await torture({
      minutes: 0.1,
      kinds: ['script-flush'],
      defect: 'early-outcome',
      endsMs: 5_000,
    });
    const rules = violations.map(({ rule }) => rule);
    expect(rules).toContain('lost');
    expect(rules).toContain('ends');
  },
  LIMIT_MS,
);

it(
  'notices when a worker does not look into the ledger before it commits',
  async () => {
    // On all workers at once, or the others would get the calls.
    const plan = [2_000, 4_500, 7_000].flatMap((at) =>
      ['worker-1', 'worker-2', 'worker-3'].map(
        (target) => ({ at, kind: 'lose-answers', target, ms: 1_000, detail: 150 }) as const,
      ),
    );
    const { violations } = await torture({ minutes: 0.15, plan, defect: 'ignore-ledger' });
    const rules = violations.map(({ rule }) => rule);
    expect(rules.filter((rule) => ['twice', 'not-run', 'answer'].includes(rule))).not.toEqual([]);
  },
  LIMIT_MS,
);
