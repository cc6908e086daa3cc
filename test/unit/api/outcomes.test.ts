import { expect, it } from 'vitest';
import { outcomeOf } from '../../../src/api/calls/sync-call.ts';
import { Problem } from '../../../src/problem.ts';
import type { ProblemCode } from '../../../src/problem-table.ts';

it.each<[ProblemCode, string]>([
  ['overloaded', 'overloaded'],
  ['rate_limited', 'overloaded'],
  ['paused', 'overloaded'],
  ['shutting_down', 'overloaded'],
  ['unavailable', 'failed'],
  ['internal', 'failed'],
  ['outcome_unknown', 'failed'],
  ['call_timeout', 'timeout'],
  ['method_not_implemented', 'refused'],
  ['workspace_full', 'refused'],
  ['invalid_params', 'refused'],
])('counts a problem %s as %s', (code, outcome) => {
  expect(outcomeOf(new Problem(code))).toBe(outcome);
});

it.each([
  ['a result', 200, 'ok'],
  ['a flood wait of the messenger', 429, 'refused'],
  ['no worker for the driver', 503, 'failed'],
  ['an unknown outcome', 0, 'failed'],
])('counts a reply with %s', (_, status, outcome) => {
  expect(outcomeOf({ status, offset: null, body: '', headers: {} })).toBe(outcome);
});
