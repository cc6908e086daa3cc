import type { LoadResult } from '../load/load-plan.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median, medianInterval, ratiosOf } from '../report/statistics.ts';

/** One call in how many is traced; null for none. */
export const ONE_IN = { none: null, hundredth: 100, fifth: 5 } as const;

export type Side = keyof typeof ONE_IN;

export const SIDES = Object.keys(ONE_IN) as Side[];

/** How many times as many calls are traced of one side, and as many exports made, as of the other: it costs so much more, and shows. */
export const MORE = ONE_IN.hundredth / ONE_IN.fifth;

const LABELS: Record<Side, string> = {
  none: 'none',
  hundredth: 'one in 100',
  fifth: `one in 5, and ${MORE} times as many exports`,
};

/** At most what tracing one call in a hundred may cost. */
const LIMIT = 1.02;

/** What was measured: all sides at the same time, round by round. */
export interface MeasuredTracing {
  rounds: LoadResult[];
  services: number;
  exports: number;
  /** ns for a request that is not traced. */
  decisionNs: number;
  /** How many calls a second each side got. */
  perSecond: number;
}

/** The processor time of API and worker a call, in µs, by side, with ratios to that without traces. */
export function toTracingReport(measured: MeasuredTracing): ScenarioReport {
  const { services, exports, decisionNs, perSecond } = measured;
  // What is refused costs less than what runs.
  const rounds = measured.rounds.filter(({ groups }) => SIDES.every((side) => !hasFailed(groups[side])));
  const micros = (side: Side) =>
    rounds.map(
      ({ cpuSeconds, groups }) => ((cpuSeconds[side] ?? 0) * 1e6) / (groups[side]?.answered || Number.NaN),
    );
  const none = micros('none');
  const direct = ratiosOf(micros('hundredth'), none);
  const much = ratiosOf(micros('fifth'), none);
  const decision = decisionNs / 1_000 / median(none);
  const reckoned = much.map((ratio) => 1 + (ratio - 1) / MORE + decision);
  const cells = (ratios: number[]) => [median(ratios).toFixed(4), between(ratios)];
  return {
    about: `${perSecond} calls/s to each of three services with a Redis each, at the same time; ${services} times with processes started anew. Ratios are medians of ${rounds.length} of ${measured.rounds.length} rounds, those without a failed call; with 95 % certainty they lie between the bounds given, but for what distinguishes processes of one build.`,
    findings: [
      {
        name: 'tracing.reckoned/off',
        subject: 'tracing',
        text: 'CPU a call of API and worker with one in a hundred traced ÷ with none, a twentieth of what twenty times as much tracing costs',
        values: reckoned,
        unit: '×',
        better: 'lower',
        limit: LIMIT,
      },
      {
        name: 'tracing.cpu/off',
        subject: 'tracing',
        text: 'the same, as measured',
        values: direct,
        unit: '×',
        better: 'lower',
      },
    ],
    tables: [
      {
        title: 'Sends, CPU a call of API and worker',
        columns: ['', 'µs', 'ratio', 'between'],
        rows: [
          [LABELS.none, median(none).toFixed(1), '', ''],
          [LABELS.hundredth, median(micros('hundredth')).toFixed(1), ...cells(direct)],
          [LABELS.fifth, median(micros('fifth')).toFixed(1), ...cells(much)],
          [
            'to decide that a call is not traced',
            (decisionNs / 1_000).toFixed(3),
            (1 + decision).toFixed(4),
            '',
          ],
          [`${LABELS.hundredth}, reckoned from these`, '', ...cells(reckoned)],
        ],
      },
    ],
    charts: [],
    complaints: [
      ...(exports > 0 ? [] : ['Nothing was exported: it was not measured.']),
      ...(rounds.length >= measured.rounds.length / 2 ? [] : ['In most rounds calls failed.']),
    ],
    raw: measured,
  };
}

function between(ratios: number[]): string {
  return medianInterval(ratios)
    .map((bound) => bound.toFixed(4))
    .join(' to ');
}

function hasFailed(group: LoadResult['groups'][string] | undefined): boolean {
  return group === undefined || group.unanswered > 0 || Object.keys(group.failures).length > 0;
}
