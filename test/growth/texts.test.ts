import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTextMatcher } from '../../workers/sandbox/model/boxes/search-filter.ts';
import { parseGivenJson } from '../../workers/sandbox/model/common/given-json.ts';
import { completeBlocks } from '../../workers/sandbox/model/text/rich/complete-blocks.ts';
import { findLinks } from '../../workers/sandbox/model/text/rich/find-links.ts';
import { readMarkup } from '../../workers/sandbox/model/text/rich/read-markup.ts';
import { isParsedInCall, PARSED_IN_CALL_MAX } from '../../workers/sandbox/model/text/rich/rich-message.ts';
import { leastCpuMs, measureGrowth, repeatTo, TROUBLEMAKERS } from '../support/growth.ts';

const LENGTH_MAX = 32_768;
/** What a worker may do at a time. */
const HELD_MAX_MS = 50;
const SEED = 7;

/** Texts of fragments again and again, between a beginning and an end. */
const hostile = fc.record({
  start: fc.constantFrom('', ...TROUBLEMAKERS),
  unit: fc
    .array(fc.constantFrom(...TROUBLEMAKERS), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('')),
  end: fc.constantFrom('', ...TROUBLEMAKERS),
});

function textOf({ start, unit, end }: { start: string; unit: string; end: string }, length: number): string {
  return start + repeatTo(unit, length - start.length - end.length) + end;
}

// What links begin and end with.
const LINKLIKE = [
  ...[
    '.',
    'a.',
    'a.com',
    'a.com/',
    'a.com,',
    'a-',
    '-.',
    'a@',
    'a.b@',
    '@a.com',
    'www.',
    'http://',
    'http://,',
    '://',
  ],
  ...['+1', '+1 ', '#', '#1', '#a', '$', '$A', '/', '/a', '/a@', '@abcd', '1.', 'рф.', '?', '.com:1'],
];

describe('links in a text', () => {
  const growthOf = (make: (size: number) => string) =>
    measureGrowth(make, LENGTH_MAX, (text) => findLinks({ _: 'textPlain', text }));

  it.each([...TROUBLEMAKERS, ...LINKLIKE])('are found in proportion to its length: %j', (fragment) => {
    expect(growthOf((size) => repeatTo(fragment, size))).toMatchObject({ isLinear: true });
  });

  it('are found in proportion to the length of any text', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(growthOf((size) => textOf(parts, size)).isLinear).toBe(true);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});

it('blocks are completed in proportion to their number', () => {
  const blocks = (count: number) =>
    Array.from({ length: count }, () => ({
      _: 'pageBlockParagraph' as const,
      text: { _: 'textConcat' as const, texts: Array(30).fill({ _: 'textPlain', text: '@abcd' }) },
    }));
  expect(measureGrowth(blocks, 480, (all) => completeBlocks(all, { links: true })).isLinear).toBe(true);
});

describe.each([
  ['markdown', false],
  ['HTML', true],
])('%s that is read at once', (_, isHtml) => {
  const msOf = (source: string) =>
    leastCpuMs(() => readMarkup({ source, isHtml, links: true, files: [] }), HELD_MAX_MS);

  it.each(TROUBLEMAKERS)('takes little time at the most there may be: %j', (fragment) => {
    expect(msOf(repeatTo(fragment, PARSED_IN_CALL_MAX))).toBeLessThan(HELD_MAX_MS);
  });

  it('takes little time whatever it says', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(msOf(textOf(parts, PARSED_IN_CALL_MAX))).toBeLessThan(HELD_MAX_MS);
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  });
});

it.each(['>', '> ', '- ', '* ', '1. ', '>- ', '>>- ', '> 1) ', '\t> - '])(
  'markdown with deep quotes and lists is read at once only if that takes little time: %j',
  (fragment) => {
    for (const levels of [8, 16, 32, 64, 128, 500]) {
      const source = `${fragment.repeat(levels)}a\nb`.slice(-PARSED_IN_CALL_MAX);
      const markup = { source, isHtml: false, links: true, files: [] };
      if (!isParsedInCall(markup)) continue;
      expect(leastCpuMs(() => readMarkup(markup), HELD_MAX_MS)).toBeLessThan(HELD_MAX_MS);
    }
    const deep = { source: `${fragment.repeat(60)}a`, isHtml: false };
    expect(isParsedInCall(deep)).toBe(false);
  },
);

// Each level is parsed once more with the lines behind it.
it.each(['>', '> ', '- >', '1. > '])('so is markdown whose quotes end one after another: %j', (fragment) => {
  const triangle = (levels: number) =>
    Array.from({ length: levels }, (_, above) => `${fragment.repeat(levels - above)}\na\n`).join('');
  for (let levels = 1; levels <= 28; levels += 1) {
    const source = triangle(levels).repeat(100).slice(0, PARSED_IN_CALL_MAX);
    const markup = { source, isHtml: false, links: true, files: [] };
    expect(isParsedInCall(markup)).toBe(levels < 6);
    if (levels < 6) expect(leastCpuMs(() => readMarkup(markup), HELD_MAX_MS)).toBeLessThan(HELD_MAX_MS);
  }
});

it('markdown that says a long address again and again gives no more blocks than a message may have', () => {
  const markdown = (count: number) => ({
    source: `[x]: http://${'a'.repeat(1_990)}\n\n${'[a][x] '.repeat(count)}`,
    isHtml: false,
    links: true,
    files: [],
  });
  expect(JSON.stringify(readMarkup(markdown(400))).length).toBeLessThan(1_000_000);
  expect(() => readMarkup(markdown(4_300))).toThrow('MESSAGE_TOO_LONG');
});

it.each(['.!', '...!'])('hundreds of messages are searched for signs in little time: %j', (start) => {
  const common = { _: 'message' as const, id: 1, peerId: { _: 'peerUser' as const, userId: 1 }, date: 1 };
  const messages = Array.from({ length: 512 }, (_, n) => ({ ...common, message: '.'.repeat(4_000) + n }));
  const says = toTextMatcher(start.padEnd(250, '.'));
  expect(leastCpuMs(() => messages.filter(says), HELD_MAX_MS)).toBeLessThan(HELD_MAX_MS);
});

it('JSON within params is not parsed beyond its bound', () => {
  const text = (length: number) => JSON.stringify('x'.repeat(length - 2));
  expect(parseGivenJson(text(16_384))).toHaveLength(16_382);
  expect(parseGivenJson(text(16_385))).toBeUndefined();
});

it('a hundred messages are searched for as many words as a query has in little time', () => {
  const words = [...'zyx'].flatMap((first) =>
    [...'abcdefghijklmnopqrstuvwxyz'].map((second) => first + second),
  );
  const common = { _: 'message' as const, id: 1, peerId: { _: 'peerUser' as const, userId: 1 }, date: 1 };
  const message = { ...common, message: `${repeatTo('z y x ', 3_800)} ${words.join(' ')}` };
  const says = toTextMatcher(words.join(' '));
  expect(says(message)).toBe(true);
  expect(leastCpuMs(() => Array.from({ length: 100 }, () => says(message)), HELD_MAX_MS)).toBeLessThan(
    HELD_MAX_MS,
  );
});
