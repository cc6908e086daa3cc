import { describe, expect, it } from 'vitest';
import { preferenceApplied, readPrefer } from '../../../src/api/calls/prefer.ts';

describe('Prefer', () => {
  it.each([
    [undefined, false, null],
    ['', false, null],
    ['respond-async', true, null],
    ['Respond-Async', true, null],
    ['respond-async, wait=10', true, 10],
    ['wait="7" , respond-async;foo=bar', true, 7],
    ['wait=1, wait=2, respond-async', true, 1],
    ['respond-async=""', true, null],
    [['handling=lenient', 'respond-async'], true, null],
    ['return=minimal, foo="a=b"', false, null],
    [',,respond-async,', true, null],
    ['foo="a,b;c", respond-async', true, null],
    ['foo="a\\",b", respond-async; bar="x, wait=5"', true, null],
    ['wait=0', false, 0],
    ['wait=60', false, 60],
    ['respond-async, wait=61', true, 60],
    ['wait=99999999999999999999', false, 60],
  ])('reads %j', (header, respondAsync, waitSeconds) => {
    expect(readPrefer(header)).toEqual({ respondAsync, waitSeconds });
  });

  it.each([
    'wait=-1',
    'wait=1.5',
    'wait',
    'wait=',
    'wait=1e1',
    'wait=١',
    'respond-async=1',
    'a b',
    '=1',
    'foo="a, respond-async',
  ])('ignores %j, which RFC 7240 wants of what is not understood', (header) => {
    expect(readPrefer(header)).toEqual({ respondAsync: false, waitSeconds: null });
    expect(readPrefer(`respond-async, wait=7, ${header}`)).toEqual({ respondAsync: true, waitSeconds: 7 });
  });

  it('says what was applied', () => {
    expect(preferenceApplied({ respondAsync: true, waitSeconds: null })).toBe('respond-async');
    expect(preferenceApplied({ respondAsync: true, waitSeconds: 5 })).toBe('respond-async, wait=5');
    expect(preferenceApplied({ respondAsync: false, waitSeconds: 5 })).toBe('wait=5');
    expect(preferenceApplied({ respondAsync: false, waitSeconds: null })).toBe('');
  });
});
