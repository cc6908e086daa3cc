import { renderMarkdownTable } from './render-table.ts';
import type { ServiceFigures } from './report.ts';
import type { Found, Results, ScenarioResults } from './results.ts';
import { withUnit } from './summary-table.ts';

type Figure = Exclude<keyof ServiceFigures, 'subject'>;

const FIGURES: [figure: Figure, title: string][] = [
  ['callsPerSecond', 'calls/s'],
  ['p50', 'p50 ms'],
  ['p99', 'p99 ms'],
  ['cpu', 'CPU µs'],
];

const OTHERS = [
  ['usual', '÷ usual'],
  ['noQueue', '÷ no queue'],
] as const;

/** The page of a run's results. */
export function renderPage({ date, machine, quick, scenarios }: Results): string {
  const complaints = scenarios.flatMap((scenario) => scenario.complaints);
  const parts = [
    `# What \`npm run bench -- ${quick ? '--quick ' : ''}--report\` measured`,
    `${date}, ${machine}; Redis, all processes and the load share the machine. [How to read it.](../performance.md)`,
    'Figures are medians of rounds. In parentheses is what is promised; **bold** is what breaks the promise. ' +
      '[bench.json](bench.json) has all figures: spreads, those of the other designs, CPU by process, Redis by command.',
    ...(complaints.length > 0 ? [complaints.map((complaint) => `- **${complaint}**`).join('\n')] : []),
    ...comparisons(scenarios),
    ...others(scenarios),
    ...scenarios.flatMap(({ charts }) => charts.map(({ file, title }) => `![${title}](${file})`)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** One row for each load under which the service was measured beside other designs. */
function comparisons(scenarios: readonly ScenarioResults[]): string[] {
  const rows = scenarios.flatMap(({ service = [], findings }) =>
    service.map((own) => [
      own.subject,
      ...FIGURES.flatMap(([figure]) => [
        short(own[figure]),
        ...OTHERS.map(([other]) => ratioOf(findings, own.subject, figure, other)),
      ]),
      ratioOf(findings, own.subject, 'cpuAboveNoQueue', 'usual'),
    ]),
  );
  if (rows.length === 0) return [];
  const columns = FIGURES.flatMap(([, title]) => [title, ...OTHERS.map(([, text]) => text)]);
  return [
    '## Beside the usual design and no queue',
    'What Switchboard came to, and its ratio to the usual design and to no queue. CPU is that of API, worker and Redis together for ' +
      'one call; the last column compares what either queue adds to it.',
    renderMarkdownTable({ columns: ['', ...columns, 'CPU above no queue ÷ usual'], rows }),
  ];
}

function ratioOf(findings: readonly Found[], subject: string, figure: string, other: string): string {
  const found = findings.find((one) => one.subject === subject && isRatio(one, figure, other));
  return found ? printed(found) : '';
}

function isRatio({ name }: Found, figure: string, other: string): boolean {
  return name.endsWith(`.${figure}/${other}`);
}

/** One line for each load, with whatever is not in the comparisons. */
function others(scenarios: readonly ScenarioResults[]): string[] {
  const bySubject = new Map<string, string[]>();
  for (const { service = [], findings } of scenarios) {
    const compared = new Set(service.map(({ subject }) => subject));
    for (const found of findings) {
      if (compared.has(found.subject) && isCompared(found)) continue;
      const figures = bySubject.get(found.subject) ?? [];
      bySubject.set(found.subject, [...figures, `${found.text} ${printed(found)}`]);
    }
  }
  if (bySubject.size === 0) return [];
  const lines = [...bySubject].map(([subject, figures]) => `- ${subject}: ${figures.join('; ')}`);
  return ['## The other scenarios', lines.join('\n')];
}

function isCompared(found: Found): boolean {
  const figures = [...FIGURES.map(([figure]) => figure), 'cpuAboveNoQueue'];
  return figures.some((figure) => OTHERS.some(([other]) => isRatio(found, figure, other)));
}

function printed({ median, unit, better, limit, kept }: Found): string {
  const value = median === null ? 'none' : withUnit(median, unit);
  if (limit === undefined) return value;
  const promise = `(${better === 'higher' ? '≥' : '≤'} ${limit})`;
  return kept ? `${value} ${promise}` : `**${value}** ${promise}`;
}

function short(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
