/**
 * How many times as much input the whole is as the part it is compared with. What the machine does beside may make linear work look
 * worse between neighbouring sizes, but not over both distances.
 */
const [NEAR, FAR] = [4, 16];
// Below the ratio of linear work times this, the verdict is clear without more runs.
const CLEAR = 1.25;
// What takes less than the API's thread may be held does no harm, whatever it grows like. Below it, caches and garbage collection make
// linear work look worse: 16,384 members take nine times as long as a quarter of them.
const WORTH_MS = 10;
const MIDDLE_SIZE = 16_384;
const ROUNDS_MIN = 3;
const ROUNDS_MAX = 30;

/** What was found of something that takes input of any size: its processor time with a part of the input and with the whole. */
export interface Growth {
  /** How many times as much input the whole is. */
  times: number;
  /** Null where the whole takes so little that it was not measured. */
  partMs: number | null;
  wholeMs: number;
  isLinear: boolean;
}

/**
 * Whether the time of `run` grows no faster than its input, up to `size`. It goes by the least processor time of many runs, those
 * with a part and those with the whole in turn: what else the machine does only adds to a run, and never to all runs of one kind. It is
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
  const near = compare(make, size, run, NEAR);
  return near.isLinear ? near : compare(make, size, run, FAR);
}

function compare<T>(
  make: (size: number) => T,
  size: number,
  run: (input: T) => unknown,
  times: number,
): Growth {
  const all = make(size);
  let whole = costOf(run, all);
  if (whole.cpuMs < WORTH_MS) return { times, partMs: null, wholeMs: whole.cpuMs, isLinear: true };
  const some = make(Math.floor(size / times));
  let part = costOf(run, some);
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    part = least(part, costOf(run, some));
    whole = least(whole, costOf(run, all));
    const isClear = round >= ROUNDS_MIN && whole.cpuMs <= times * CLEAR * part.cpuMs;
    if (whole.cpuMs < WORTH_MS || isClear)
      return { times, partMs: part.cpuMs, wholeMs: whole.cpuMs, isLinear: true };
  }
  const most = ratioMax(times);
  const isLinear = whole.cpuMs <= most * part.cpuMs || whole.wallMs <= most * part.wallMs;
  return { times, partMs: part.cpuMs, wholeMs: whole.cpuMs, isLinear };
}

// Of linear work it is `times`, of quadratic its square. This is what work has whose time with the whole is linear for a third and quadratic
// for two thirds: the limit is the same over either distance.
function ratioMax(times: number): number {
  return 3 / (1 / times + 2 / times ** 2);
}

/** The time of a run: of all threads of the process, and by the clock. */
interface Cost {
  cpuMs: number;
  wallMs: number;
}

// Garbage collection in other threads counts in `cpuMs` alone, and the whole collects more often than a part.
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
