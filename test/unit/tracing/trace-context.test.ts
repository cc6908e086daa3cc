import { describe, expect, it } from 'vitest';
import { formatParent, parseParent, readState, traceIdOf } from '../../../src/tracing/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseParent', () => {
  it('reads what formatParent writes', () => {
    for (const isSampled of [true, false]) {
      const ids = { traceId: TRACE, spanId: SPAN, isSampled };
      expect(parseParent(formatParent(ids))).toEqual(ids);
    }
  });

  it('reads the flag among others, and a later version with more behind it', () => {
    expect(parseParent(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true);
    expect(parseParent(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
    expect(parseParent(`cc-${TRACE}-${SPAN}-01-what-the-future-holds`)?.traceId).toBe(TRACE);
  });

  it.each([
    ['nothing', undefined],
    ['several', [`00-${TRACE}-${SPAN}-01`]],
    ['an empty one', ''],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['version 00 with more behind it', `00-${TRACE}-${SPAN}-01-x`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a line end', `00-${TRACE}-${SPAN}-01\n`],
    ['two headers in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['what is far too long', `01-${TRACE}-${SPAN}-01-${'x'.repeat(15_000)}`],
  ])('ignores %s', (_, text) => expect(parseParent(text)).toBeNull());
});

it('readState takes up to 512 characters', () => {
  expect(readState('a=1')).toBe('a=1');
  expect(readState('x'.repeat(512))).toHaveLength(512);
  for (const text of [undefined, '', 'x'.repeat(513), ['a=1']]) expect(readState(text)).toBeUndefined();
});

it('traceIdOf names the trace, if there is one', () => {
  expect(traceIdOf({ parent: `00-${TRACE}-${SPAN}-01` })).toEqual({ traceId: TRACE });
  expect(traceIdOf(undefined)).toEqual({});
});
