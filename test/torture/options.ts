import { parseArgs } from 'node:util';
import { DISTURBANCES, type DisturbanceKind } from './chaos/plan-chaos.ts';

/** What a run was asked to do. */
export interface TortureOptions {
  seed: number;
  minutes: number;
  /** Calls a second that the clients offer. */
  rate: number;
  /** The kinds of disturbance to choose from. */
  kinds: readonly DisturbanceKind[];
  /** Whether workers come and go all the time, and nothing else is done. */
  churn: boolean;
  /** A preload that makes the workers break a promise, by its name in `preload/`. */
  defect: string | undefined;
  verbose: boolean;
  /** A kept history to check instead of running. */
  check: string | undefined;
  help: boolean;
}

export const HELP = `npm run torture -- [options]

Runs the service as real processes, sends calls, kills, pauses and cuts off what there is, and then holds every answer and every
update against what the service holds in the end. Fails when a promise was broken; docs/torture.md says more.

  --seed <n>        what is done and when follows from it (default: one by chance)
  --minutes <n>     how long calls are sent (default 1; fractions are fine)
  --rate <n>        calls a second (default 500)
  --kinds <names>   only these disturbances: ${DISTURBANCES.join(', ')}
  --churn           every second a worker is removed, by SIGTERM or SIGKILL, or added; nothing else is done.
                    Calls are sent for half a minute more before that, to warm up.
                    Fails also when a caller who stayed got no result, or waited for five seconds
  --defect <name>   break a promise on purpose, to see that it is noticed: ignore-ledger, drop-commits, early-outcome
  --check <file>    check a kept history again
  --verbose         print the plan and every disturbance
  --help
`;

/** Parses the arguments; throws an error of one sentence when one is wrong. */
export function readOptions(args: string[]): TortureOptions {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string', default: '1' },
      rate: { type: 'string', default: '500' },
      kinds: { type: 'string' },
      churn: { type: 'boolean', default: false },
      defect: { type: 'string' },
      check: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number.');
  return {
    seed,
    minutes: readNumber('minutes', values.minutes),
    rate: readNumber('rate', values.rate),
    kinds: readKinds(values.kinds),
    churn: values.churn,
    defect: values.defect,
    verbose: values.verbose,
    check: values.check,
    help: values.help,
  };
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} takes a number above 0.`);
  return number;
}

function readKinds(text: string | undefined): readonly DisturbanceKind[] {
  if (text === undefined) return DISTURBANCES;
  const names = text.split(',');
  const unknown = names.find((name) => !DISTURBANCES.some((kind) => kind === name));
  if (unknown !== undefined) throw new Error(`There is no disturbance ${unknown}.`);
  return DISTURBANCES.filter((kind) => names.includes(kind));
}
