import { expect, it } from 'vitest';
import { Problem } from '../../src/problem.ts';

it('a problem that is told to a client does not note where it was made, one that is logged does', () => {
  const limit = Error.stackTraceLimit;
  expect(new Problem('overloaded').stack).not.toContain(' at ');
  for (const code of ['internal', 'unavailable'] as const)
    expect(new Problem(code).stack).toContain('problem.test.ts');
  expect(Error.stackTraceLimit).toBe(limit);
});
