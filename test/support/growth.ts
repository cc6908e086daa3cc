import { vi } from 'vitest';

// What looks at many texts, several times, may take its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** How often as much input there is, and how many times the time may be: linear is 4, quadratic 16. */
const TIMES = 4;
const RATIO_MAX = 8;
// What takes less is no harm whatever it grows like, and says too little.
const WORTH_MS = 3;
const MIDDLE_SIZE = 16_384;
const RUNS = 3;
const RETRIES = 4;

/** What was found of something that takes input of any size: its processor time at a quarter of the size and at the whole. */
export interface Growth {
  quarterMs: number;
  wholeMs: number;
  isLinear: boolean;
}

/**
 * Whether the time of `run` grows no faster than its input, up to `size`. It goes by the least processor time of several runs, and
 * looks again before it says no: what else the machine does may only add to a run.
 */
export function measureGrowth<T>(
  make: (size: number) => T,
  size: number,
  run: (input: T) => unknown,
): Growth {
  // Engines treat texts differently beyond some lengths, so what is quick with a very long one may not be so with a shorter.
  if (size > 4 * MIDDLE_SIZE) {
    const middle = measureUpTo(make, MIDDLE_SIZE, run);
    if (!middle.isLinear) return middle;
  }
  return measureUpTo(make, size, run);
}

function measureUpTo<T>(make: (size: number) => T, size: number, run: (input: T) => unknown): Growth {
  const [part, all] = [make(Math.floor(size / TIMES)), make(size)];
  let [quarterMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round <= RETRIES; round += 1) {
    quarterMs = Math.min(
      quarterMs,
      leastMs(() => run(part)),
    );
    wholeMs = Math.min(
      wholeMs,
      leastMs(() => run(all)),
    );
    if (wholeMs < WORTH_MS || wholeMs <= RATIO_MAX * quarterMs) return { quarterMs, wholeMs, isLinear: true };
  }
  return { quarterMs, wholeMs, isLinear: false };
}

function leastMs(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < RUNS && (count === 0 || least > WORTH_MS / TIMES / 2); count += 1) {
    const before = process.cpuUsage();
    try {
      run();
    } catch {
      // A refusal is an answer, and takes its time too.
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** What parsers have been known to choke on, to be repeated. */
export const TROUBLEMAKERS = [
  ...[
    'a',
    ' ',
    '\n',
    '\t',
    '\\',
    '"',
    "'",
    '.',
    ',',
    ':',
    '-',
    '_',
    '=',
    '+',
    '0',
    '9',
    '%',
    '%41',
    '\u0000',
    'é',
    '\u{1f600}',
  ],
  ...['[', ']', '[](', '[a](', '![', '[^', '[a]: ', '(', ')', '{', '}', '{}', '[]', '[[]', '{"a":'],
  ...[
    '$$',
    '\n$$a',
    '$a',
    '`',
    '``a',
    '```\n',
    '~',
    '~~',
    '*',
    '**',
    '*a ',
    '_a_',
    '*_',
    '==',
    '==a ',
    '||',
    '||a ',
  ],
  ...[
    '> ',
    '>',
    '- ',
    '* ',
    '1. ',
    '- a\n',
    '  - ',
    '# ',
    '|',
    '|\n|-\n',
    '|a|b|\n',
    '---\n',
    '===\n',
    'a\n=',
  ],
  ...[
    '<',
    '</',
    '<a',
    '<a b="',
    '<b>',
    '</b>',
    '<!--',
    '<![CDATA[',
    '<p>',
    '<table><tr><td>',
    '&',
    '&a',
    '&#',
    '&amp;',
  ],
  ...[
    '@',
    'a@',
    '@abcd ',
    'a@b.',
    'http://',
    'http://a.',
    'www.',
    '#a',
    '$ABC',
    '/a',
    '+1 (2',
    ';',
    'a=b,',
    '="',
    '1_',
    '\\"',
  ],
];

/** A fragment again and again, up to a length. */
export function repeatTo(fragment: string, length: number): string {
  return fragment.repeat(Math.floor(length / Math.max(1, fragment.length)));
}
