import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Problem } from '../../src/problem.ts';
import { PROBLEMS } from '../../src/problem-table.ts';

it('a problem that is told to a client does not note where it was made, one that is logged does', () => {
  const limit = Error.stackTraceLimit;
  expect(new Problem('overloaded').stack).not.toContain(' at ');
  for (const code of ['internal', 'unavailable'] as const)
    expect(new Problem(code).stack).toContain('problem.test.ts');
  expect(Error.stackTraceLimit).toBe(limit);
});

it('every code of the table is one that some code answers', () => {
  const files = ['src', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const text = files
    .filter((file) => file.endsWith('.ts') && !/problem-table|src\/client|src\/pages/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isAnswered = (code: string) => new RegExp(`'${code}'|PROBLEMS\\.${code}\\b`).test(text);
  expect(Object.keys(PROBLEMS).filter((code) => !isAnswered(code))).toEqual([]);
});
