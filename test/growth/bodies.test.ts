import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_VALUES_MAX, parseJson } from '../../src/api/server/parse-json.ts';
import { leastCpuMs, measureGrowth, repeatTo, TROUBLEMAKERS } from '../support/growth.ts';

const MiB = 1024 * 1024;
/** What a body may take of the API's thread, and room for a machine that is several times slower. */
const PARSED_MAX_MS = 60;
const SEED = 7;

const FRAMES = [
  ['', ''],
  ['[', ']'],
  ['["', '"]'],
  ['{"a":"', '"}'],
  ['{"a":[', '1]}'],
] as const;

describe.each(FRAMES)('a body between %j and %j', (open, close) => {
  const bodyOf = (fragment: string, size: number) => open + repeatTo(fragment, size) + close;

  it.each([
    ...TROUBLEMAKERS,
    '1,',
    '"a",',
    '"\\u0041",',
    '[],',
    '{},',
    '{"a":1},',
    '"a":1,',
    '\\\\"',
    '\\u0041',
  ])('is parsed in proportion to its length: %j', (fragment) => {
    const growth = measureGrowth(
      (size) => bodyOf(fragment, size),
      MiB,
      (body) => parseJson(body, CALL_VALUES_MAX),
    );
    expect(growth).toMatchObject({ isLinear: true });
    const parse = () => parseJson(bodyOf(fragment, MiB), CALL_VALUES_MAX);
    expect(leastCpuMs(parse, PARSED_MAX_MS)).toBeLessThan(PARSED_MAX_MS);
  });
});

it('any body is parsed in proportion to its length', () => {
  const value = fc.jsonValue({ maxDepth: 5 }).map((one) => `${JSON.stringify(one)},`);
  fc.assert(
    fc.property(value, (one) => {
      const make = (size: number) => `[${repeatTo(one, size)}0]`;
      const growth = measureGrowth(make, MiB, (body) => parseJson(body, CALL_VALUES_MAX));
      expect(growth.isLinear).toBe(true);
    }),
    { seed: SEED, numRuns: 50 },
  );
});
