import { parseArgs } from 'node:util';
import { DESIGNS, type DesignName, PEERS } from './designs/design.ts';
import type { Scenario } from './scenario.ts';

/** What the bench was asked to do. */
export interface BenchOptions {
  quick: boolean;
  /** Names of scenarios; empty for all. */
  only: string[];
  designs: DesignName[];
  rounds: number | undefined;
  seconds: number | undefined;
  connections: number[] | undefined;
  jsonFile: string | undefined;
  report: boolean;
  guard: boolean;
  record: boolean;
  profileTo: string | undefined;
  help: boolean;
}

/** Parses the arguments; throws an error of one sentence when one is wrong. */
export function readOptions(args: string[], scenarioNames: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      designs: { type: 'string' },
      peers: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      json: { type: 'string' },
      report: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only.flatMap((names) => names.split(','));
  const unknown = only.find((name) => !scenarioNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no scenario ${unknown}; there are ${scenarioNames.join(', ')}.`);
  }
  return {
    quick: values.quick,
    only,
    designs: readDesigns(values.designs, values.peers),
    rounds: readNumbers('rounds', values.rounds)?.[0],
    seconds: readNumbers('seconds', values.seconds)?.[0],
    connections: readNumbers('connections', values.connections),
    jsonFile: values.json,
    report: values.report,
    guard: values.guard,
    record: values.record,
    profileTo: values.profile,
    help: values.help,
  };
}

/** The text of `--help`. */
export function helpText(scenarios: Pick<Scenario, 'name' | 'summary' | 'seconds'>[]): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  const list = scenarios.map(
    ({ name, summary, seconds }) => `  ${name.padEnd(width)}  ${summary} (${seconds.full} s)`,
  );
  return `npm run bench -- [options]

Measures Switchboard beside the usual design (queue.add and waitUntilFinished) and beside no queue at all: the same
app, methods and Redis, in rounds that take turns. Figures depend on the machine; ratios are what counts.

  --quick              everything in five minutes: shorter rounds, smaller numbers
  --only <scenario>    one scenario; may be given again
  --designs <names>    of ${DESIGNS.map(({ name }) => name).join(',')}
  --peers              also what is built on ${PEERS.join(', ')}
  --connections <n,n>  numbers of connections of reads and sends
  --rounds <n>         rounds of each measurement
  --seconds <n>        length of a round
  --json <file>        everything that was measured
  --report             docs/performance/: Markdown, charts and all figures as JSON
  --guard              fail when a ratio is worse than in test/bench/floors.json by more than its noise, or beyond a limit; what seems so is
                       measured a second time, and both measurements count
  --record             write the ratios of this run, with their noise, to test/bench/floors.json
  --profile <folder>   CPU profiles of all processes
  --help

Scenarios:
${list.join('\n')}
`;
}

function readDesigns(text: string | undefined, peers: boolean): DesignName[] {
  const known = DESIGNS.map(({ name }) => name);
  const names = text?.split(',') ?? known.filter((name) => peers || !PEERS.includes(name));
  const unknown = names.find((name) => !known.some((design) => design === name));
  if (unknown !== undefined) throw new Error(`There is no design ${unknown}; there are ${known.join(', ')}.`);
  return known.filter((name) => names.includes(name));
}

function readNumbers(name: string, text: string | undefined): number[] | undefined {
  const numbers = text?.split(',').map(Number);
  if (numbers?.some((number) => !(number > 0))) throw new Error(`--${name} takes numbers above 0.`);
  return numbers;
}
