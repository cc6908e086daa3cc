import { check } from 'recheck';
import { expect, test } from 'vitest';
import { visitSource } from '../support/source-nodes.ts';

// The checker counts steps; the limit is only for an expression that it cannot decide on, and must last on a busy machine.
const CHECK_MS = 90_000;
// By default it calls slow whatever does not match within a quarter of a second, which happens on a busy machine.
const LIMITS = { timeout: CHECK_MS, incubationTimeout: CHECK_MS, attackTimeout: CHECK_MS };

/** Where an expression has to be made from text, with what keeps it harmless. */
const MADE_FROM_TEXT: Record<string, string> = {
  'src/api/plugins/known-paths.ts': 'a route and `[^/]+`, neither of which a caller writes',
  'workers/sandbox/model/text/links.ts': 'expressions of the same file, each checked by itself',
};

/** Expressions that a long text could slow down, and who writes the texts they see: no caller does. */
const SAFE_TEXTS: Record<string, string> = {
  '/\\/+$/': 'the setting PUBLIC_URL',
  '/\\?.*$/': 'the setting REDIS_URL',
  '/<\\/?[a-z][^>]*>/gi': 'what the TL schema says of its own methods',
  '/\\s*»/g': 'what the TL schema says of its own methods',
  '/("(?:[^"\\\\]|\\\\.)*")(?=\\s*:)|("(?:[^"\\\\]|\\\\.)*")|(-?\\d[\\d.eE+-]*|\\btrue\\b|\\bfalse\\b|\\bnull\\b)/g':
    'what `JSON.stringify` has made: every text in it ends',
  "/(\\b[A-Za-z_$][\\w$]*)(?=:\\s)|('(?:[^'\\\\]|\\\\.)*'|`[^`]*`)|(\\b(?:import|from|const|new|await|for|of|process|curl)\\b|\\b\\d+\\b)/g":
    'samples that the documentation page makes',
  '/`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\[([^\\]]+)\\]\\(((?:https?:|\\/|#)[^)\\s]+)\\)/g':
    'descriptions that the OpenAPI document has of this service',
  '/^(\\w+)(\\{[^}]*\\})? (\\S+)$/gm': 'metrics of the service that one asks',
};

interface Found {
  file: string;
  source: string;
  flags: string;
}

const found: Found[] = [];
const made: string[] = [];
visitSource(({ type, regex, callee }, file) => {
  if (regex) found.push({ file, source: regex.pattern, flags: regex.flags });
  const isMade = type === 'NewExpression' || type === 'CallExpression';
  if (isMade && callee?.name === 'RegExp') made.push(file);
});

test('the source has expressions to check', () => {
  expect(found.length).toBeGreaterThan(40);
});

test.each([...new Map(found.map((each) => [`/${each.source}/${each.flags}`, each]))])(
  '%s takes time in proportion to the text',
  async (expression, { file, source, flags }) => {
    const { status, ...rest } = await check(source, flags, LIMITS);
    if (expression in SAFE_TEXTS) expect(status).toBe('vulnerable');
    else expect({ file, status, ...rest }).toMatchObject({ status: 'safe' });
  },
  2 * CHECK_MS,
);

test('expressions are made from text only where that is known to be harmless', () => {
  expect([...new Set(made)].sort()).toEqual(Object.keys(MADE_FROM_TEXT));
});
