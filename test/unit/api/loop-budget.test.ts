import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LoopBudget } from '../../../src/api/server/loop-budget.ts';

it('lets work wait for the turn after that of a new connection', async () => {
  const given: number[] = [];
  const loop = new LoopBudget((ms) => given.push(ms) === 1);
  loop.accepted();
  loop.schedule();
  await turn();
  expect(given).toEqual([0]);
  await turn();
  expect(given).toEqual([0, expect.any(Number)]);
  expect(given[1]).toBeGreaterThan(0);
});

it('has work wait no longer than a few milliseconds while a connection comes in each turn', async () => {
  const workedAt: number[] = [];
  const loop = new LoopBudget((ms) => ms === 0 || workedAt.push(performance.now()) > 0);
  const startedAt = performance.now();
  loop.schedule();
  let turns = 0;
  for (; workedAt.length < 5; turns += 1) {
    loop.accepted();
    await turn();
  }
  expect(turns).toBeGreaterThan(workedAt.length);
  expect((workedAt.at(-1) ?? 0) - startedAt).toBeGreaterThanOrEqual(4 * workedAt.length);
});
