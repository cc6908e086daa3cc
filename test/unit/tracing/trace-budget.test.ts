import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TraceBudget } from '../../../src/tracing/trace-budget.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function taken(budget: TraceBudget, asked: number): number {
  return Array.from({ length: asked }, () => budget.take()).filter(Boolean).length;
}

it('gives so many at once, and so many in each second', () => {
  const budget = new TraceBudget({ TRACES_PER_SECOND: 10 });
  expect(taken(budget, 50)).toBe(10);
  vi.advanceTimersByTime(500);
  expect(taken(budget, 50)).toBe(5);
  vi.advanceTimersByTime(60_000);
  expect(taken(budget, 50)).toBe(10);
});
