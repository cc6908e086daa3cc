import { beforeEach, expect, it } from 'vitest';
import { CallCost } from '../../../workers/call-cost.ts';

let cost: CallCost;

beforeEach(() => {
  cost = new CallCost();
});

function beBusy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('knows how long calls keep the process busy, once that is some time', () => {
  let since: number;
  // On a busy machine, the same may take long.
  do {
    since = performance.now();
    cost = new CallCost();
    beBusy(10);
    cost.note(1);
  } while (performance.now() - since > 40);
  expect(cost.msEach).toBe(0);
  beBusy(90);
  cost.note(9);
  expect(cost.msEach).toBeGreaterThanOrEqual(10);
  expect(cost.msEach).toBeLessThanOrEqual((performance.now() - since) / 10);
});

it('learns nothing from a time in which there was little to do', async () => {
  // On a busy machine, the same takes a larger part of the time.
  for (let utilization = 1; utilization > 0.18; ) {
    cost = new CallCost();
    const since = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 500));
    beBusy(60);
    cost.note(1);
    ({ utilization } = performance.eventLoopUtilization(since));
  }
  expect(cost.msEach).toBe(0);
});

it('learns from such a time that calls have become quicker', async () => {
  beBusy(100);
  cost.note(1);
  const slow = cost.msEach;
  await new Promise((resolve) => setTimeout(resolve, 500));
  beBusy(60);
  cost.note(60);
  expect(cost.msEach).toBeLessThan(slow * 0.75);
});
