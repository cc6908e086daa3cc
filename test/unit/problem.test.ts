import { expect, it } from 'vitest';
import { Problem } from '../../src/problem.ts';

it('a problem that is told to a client does not note where it was made, a failure of our own does', () => {
  const limit = Error.stackTraceLimit;
  expect(new Problem('overloaded').stack).not.toContain(' at ');
  expect(new Problem('internal').stack).toContain('problem.test.ts');
  expect(Error.stackTraceLimit).toBe(limit);
});
