/** How often as much input there is, and how many times the time may be: linear is 4, quadratic 16. */
const TIMES = 4;
const RATIO_MAX = 8;
// Below this the verdict is clear without more runs.
const RATIO_CLEAR = 5;
// What takes less than the API's thread may be held does no harm, whatever it grows like. Below it, caches and garbage collection make
// linear work look worse: 16,384 members take nine times as long as a quarter of them.
const WORTH_MS = 10;
const MIDDLE_SIZE = 16_384;
const ROUNDS_MIN = 3;
const ROUNDS_MAX = 30;

/** What was found of something that takes input of any size: its processor time at a quarter of the size and at the whole. */
export interface Growth {
  /** Null where the whole takes so little that it was not measured. */
  quarterMs: number | null;
  wholeMs: number;
  isLinear: boolean;
}

/**
 * Whether the time of `run` grows no faster than its input, up to `size`. It goes by the least processor time of many runs, those
 * with a quarter and those with the whole in turn: what else the machine does only adds to a run, and never to all runs of one kind. It is
 * also linear if the least time by the clock says so.
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
  const all = make(size);
  let whole = costOf(run, all);
  if (whole.cpuMs < WORTH_MS) return { quarterMs: null, wholeMs: whole.cpuMs, isLinear: true };
  const part = make(Math.floor(size / TIMES));
  let quarter = costOf(run, part);
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    quarter = least(quarter, costOf(run, part));
    whole = least(whole, costOf(run, all));
    const isClear = round >= ROUNDS_MIN && whole.cpuMs <= RATIO_CLEAR * quarter.cpuMs;
    if (whole.cpuMs < WORTH_MS || isClear)
      return { quarterMs: quarter.cpuMs, wholeMs: whole.cpuMs, isLinear: true };
  }
  const isLinear = whole.cpuMs <= RATIO_MAX * quarter.cpuMs || whole.wallMs <= RATIO_MAX * quarter.wallMs;
  return { quarterMs: quarter.cpuMs, wholeMs: whole.cpuMs, isLinear };
}

/** The time of a run: of all threads of the process, and by the clock. */
interface Cost {
  cpuMs: number;
  wallMs: number;
}

// Garbage collection in other threads counts in `cpuMs` alone, and the whole collects more often than a quarter.
function costOf<T>(run: (input: T) => unknown, input: T): Cost {
  const startedAt = performance.now();
  const cpuMs = cpuMsOf(run, input);
  return { cpuMs, wallMs: performance.now() - startedAt };
}

function least(one: Cost, other: Cost): Cost {
  return { cpuMs: Math.min(one.cpuMs, other.cpuMs), wallMs: Math.min(one.wallMs, other.wallMs) };
}

/**
 * The least processor time of `run`. It runs again while that is not below `enoughMs`, many times: one run below it proves that no more
 * is needed, and only what needs more is above it every time.
 */
export function leastCpuMs(run: () => unknown, enoughMs: number): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= ROUNDS_MAX && leastMs >= enoughMs; round += 1) {
    leastMs = Math.min(leastMs, cpuMsOf(run, undefined));
  }
  return leastMs;
}

function cpuMsOf<T>(run: (input: T) => unknown, input: T): number {
  const before = process.cpuUsage();
  try {
    run(input);
  } catch {
    // A refusal is an answer, and takes its time too.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
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
