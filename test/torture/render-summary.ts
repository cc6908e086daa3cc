import { type Call, outcomeOf, toCalls } from './check/calls.ts';
import { hasFailed, waitsOf } from './check/check-churn.ts';
import { RULES, type Rule } from './check/violation.ts';
import { listed } from './progress.ts';
import type { Outcome } from './run-torture.ts';

const EXAMPLES = 5;

/** The table at a run's end: what was done, and how often each promise was broken, with examples. */
export function renderSummary(outcome: Outcome): string {
  const { violations, history, progress, heldBack, seconds, connections } = outcome;
  const calls = toCalls(history);
  const count = (ends: string) => calls.filter((call) => call.outcome === ends).length;
  const replays = calls.flatMap(({ attempts }) => attempts).filter(({ replayed }) => replayed).length;
  const notRun = calls
    .flatMap(({ attempts }) => attempts)
    .filter((attempt) => outcomeOf(attempt) === 'not run').length;
  const of = (type: string) => history.filter((entry) => entry.type === type).length;
  const done: [string, string][] = [
    [
      'calls',
      `${calls.length} in ${seconds.toFixed(0)} s, ${(calls.length / seconds).toFixed(0)} a second (${heldBack} more were due while too many were under way)`,
    ],
    ['succeeded', String(count('accepted'))],
    ['failed for good, as they had to', String(count('refused'))],
    ['not run, and told so', String(count('not run'))],
    ['of unknown outcome', String(count('unknown'))],
    ['failed, though their callers stayed', String(calls.filter(hasFailed).length)],
    [
      'async calls taken in',
      `${calls.filter(isTakenIn).length}: ${listed(countBy(calls.filter(isTakenIn), endOf))}`,
    ],
    [
      'in requests with several',
      String(calls.filter(({ attempts }) => attempts[0]?.form.includes('bulk')).length),
    ],
    [
      'attempts',
      `${progress.attempts}, of which ${notRun} were told that they did not run, ${replays} replayed`,
    ],
    ['answers', listed(progress.answers)],
    ['waits for a 200', renderWaits(waitsOf(history, ({ status }) => status === 200))],
    ['disturbances', listed(progress.chaos)],
    ['updates', `${of('update')} in the streams, ${of('seen')} followed over ${connections} connections`],
    ['messages', `${of('message')} in the boxes`],
  ];
  const broken = (Object.entries(RULES) as [Rule, string][]).map(([rule, name]): [string, string] => [
    name,
    String(violations.filter((violation) => violation.rule === rule).length),
  ]);
  const width = Math.max(...[...done, ...broken].map(([name]) => name.length));
  const table = (rows: [string, string][]) => rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  const examples = (Object.keys(RULES) as Rule[]).flatMap((rule) =>
    violations
      .filter((violation) => violation.rule === rule)
      .slice(0, EXAMPLES)
      .map(({ what }) => `! ${RULES[rule]}: ${what}`),
  );
  return [...table(done), '', ...table(broken), ...(examples.length > 0 ? ['', ...examples] : [])].join('\n');
}

function renderWaits(waits: readonly number[]): string {
  const at = (share: number) => `${(waits[Math.ceil(waits.length * share) - 1] ?? 0).toFixed(0)} ms`;
  return `median ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)}`;
}

function isTakenIn({ callIds }: Call): boolean {
  return callIds.length > 0;
}

function endOf({ kept }: Call): string {
  return kept?.status === 'failed' ? `failed ${kept.code}` : (kept?.status ?? 'not read');
}

function countBy(calls: Call[], name: (call: Call) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(name(call), (counts.get(name(call)) ?? 0) + 1);
  return counts;
}
