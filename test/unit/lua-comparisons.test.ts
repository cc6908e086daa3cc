import { expect, test } from 'vitest';
import { visitSource } from '../support/source-nodes.ts';

/**
 * Comparisons of which this test does not see that they are of numbers, and that are. Texts are compared with `isBefore` of
 * `src/redis/is-before.ts`: `<` orders them by the locale in which Redis runs.
 */
const OF_NUMBERS: Record<string, readonly string[]> = {
  'src/api/limits/draw-script.ts': ['full > now'],
  'src/async-calls/accept-call.ts': ['runAt <= now'],
  'src/async-calls/read-calls.ts': ['size > room'],
  'src/bytes/count-bytes.ts': ['lapseBytes(heads,parts,workspace) >= most', 'last <= now', 'till < now'],
  'src/directory/list-entries.ts': ['first > last', 'low < high'],
  'src/directory/lists.ts': ['size > answer[1]'],
  'src/directory/records.ts': ['count >= most'],
  'src/queue/slots-script.ts': ['other[1] < since', "redis.call('PTTL',scope.line) < lasts"],
  'src/redis/is-before.ts': ['(a…or-1) < (b…or-1)'],
  'src/state/commit-script.ts': ['now > tx[3]', 'used[stream] >= most[stream]'],
  'workers/delivery/lease.ts': ['held <= now', 'leases < fewest'],
  'workers/delivery/survey-lines.ts': ['listed >= most'],
};

const IS_LUA = /\bredis\.s?p?call\b|^\s*local \w|\bthen\b.*\bend\b/m;
const TOKEN = /--.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\w…]+|\.{2,3}|[<>=~]=|\S/g;
const COMPARES = new Set(['<', '>', '<=', '>=']);
const ENDS_OPERAND = new Set(
  'and or not if elseif while until return then do else end local in for function repeat , ; = == ~='
    .split(' ')
    .concat([...COMPARES]),
);
const ARITHMETIC = new Set([...'+-*/%^']);
const COUNTS = /^redis\.call\('(ZCARD|ZCOUNT|HLEN|HSTRLEN|HINCRBY|EXISTS)'/;

const scripts: { file: string; lua: string }[] = [];
visitSource(({ quasis }, file) => {
  const lua = quasis?.map(({ value }) => value.cooked).join('…') ?? '';
  if (IS_LUA.test(lua)) scripts.push({ file, lua });
});

/** What a script compares or sorts without that one sees that it is numbers. If only one of two is a number, Lua fails. */
function unclearIn(lua: string): string[] {
  const tokens = (lua.match(TOKEN) ?? []).filter((token) => !token.startsWith('--'));
  const compared = tokens.flatMap((token, at) => {
    if (!COMPARES.has(token)) return [];
    const left = operandOf(tokens.slice(0, at).reverse(), ')]}', '([{').reverse();
    const right = operandOf(tokens.slice(at + 1), '([{', ')]}');
    return isNumber(left) || isNumber(right) ? [] : [`${left.join('')} ${token} ${right.join('')}`];
  });
  const sorted = tokens.join('').match(/table\.sort\(\w+\)/g) ?? [];
  return [...compared, ...sorted];
}

/** The tokens of an operand, from the comparison on. */
function operandOf(tokens: string[], opening: string, closing: string): string[] {
  const operand: string[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (closing.includes(token)) depth -= 1;
    const isNext = depth === 0 && (ENDS_OPERAND.has(token) || isStatement(operand.at(-1), token, opening));
    if (depth < 0 || isNext) break;
    if (opening.includes(token)) depth += 1;
    operand.push(token);
  }
  return operand;
}

/** Whether two tokens in a row belong to two statements, such as in `a = b c = d`. */
function isStatement(last: string | undefined, token: string, opening: string): boolean {
  if (last === undefined) return false;
  const [before, after] = opening.startsWith('(') ? [last, token] : [token, last];
  return /[\w…'")\]}]$/.test(before) && /^[\w…'"]/.test(after);
}

function isNumber(operand: string[]): boolean {
  const text = operand.join('');
  if (/^(#|tonumber\(|math\.|\d+$|…$)/.test(text) || COUNTS.test(text)) return true;
  let depth = 0;
  for (const token of operand) {
    if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth -= 1;
    else if (depth === 0 && ARITHMETIC.has(token)) return true;
  }
  return false;
}

test('scripts compare only numbers with <, and so never go by the locale of Redis', () => {
  const unclear: Record<string, string[]> = {};
  for (const { file, lua } of scripts) {
    const found = new Set([...(unclear[file] ?? []), ...unclearIn(lua)]);
    if (found.size > 0) unclear[file] = [...found].sort();
  }
  expect(unclear).toEqual(OF_NUMBERS);
});

test.each([
  ['if place < nearest then', ['place < nearest']],
  ['local isLess = ARGV[1] >= floor local other = 1', ['ARGV[1] >= floor']],
  ["return redis.call('GET', KEYS[1]) > '1'", ["redis.call('GET',KEYS[1]) > '1'"]],
  ["x = a .. '-' < b", ["a..'-' < b"]],
  ['table.sort(names)', ['table.sort(names)']],
  ['table.sort(names, function(a, b) return isBefore(a, b) end)', []],
  ['if a - 1 < b and #names > most and tonumber(a) <= b and a < 7 and … > b then', []],
  ["if redis.call('ZCARD', KEYS[1]) >= most -- a < b\n", []],
])('sees whether texts may be compared: %j', (lua, unclear) => {
  expect(unclearIn(lua)).toEqual(unclear);
});

test('the source has scripts to look at', () => {
  const files = new Set(scripts.map(({ file }) => file));
  expect(files.size).toBeGreaterThan(50);
});
