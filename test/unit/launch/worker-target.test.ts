import { expect, test } from 'vitest';
import { countApis, countWorkers } from '../../../src/launch/processes/process-counts.ts';
import { WorkerTarget } from '../../../src/launch/processes/worker-target.ts';

const SECOND = 1_000;

/** The number of workers after each second in which so many were wanted. */
function follow(wanted: number[], counts = { min: 1, max: 4 }): number[] {
  const target = new WorkerTarget(counts);
  let running = counts.min;
  return wanted.map((one, second) => {
    running = target.next(one, running, second * SECOND);
    return running;
  });
}

test('goes up at once, and never beyond its bounds', () => {
  expect(follow([1, 3, 9])).toEqual([1, 3, 4]);
  expect(follow([0, -2], { min: 2, max: 4 })).toEqual([2, 2]);
});

test('goes down one by one, each half a minute after more were needed', () => {
  const numbers = follow([4, ...Array.from({ length: 100 }, () => 1)]);
  expect(numbers.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 4));
  expect([30, 59, 60, 90, 100].map((second) => numbers[second])).toEqual([3, 3, 2, 1, 1]);
});

test('does not change while a load comes and goes within half a minute', () => {
  const wanted = Array.from({ length: 300 }, (_, second) => (second % 25 < 5 ? 3 : 1));
  expect(new Set(follow(wanted))).toEqual(new Set([3]));
});

test('machines that share the load give up one surplus worker once, and come to rest', () => {
  const draws = [0.1, 0.1, 0.9, 0.3, 0.5];
  let drawn = 0;
  const random = () => draws[drawn++ % draws.length] ?? 0;
  const machines = [1, 2].map(() => ({
    target: new WorkerTarget({ min: 1, max: 9 }, random),
    running: 1,
  }));
  const totals: number[] = [];
  // What one does the other knows three seconds later.
  const known = [1, 2].map(() => [1, 1, 1]);
  for (let second = 0; second < 1_000; second += 1) {
    const wanted = second < 10 ? 6 : 3;
    const seen = known.map((counts) => counts.shift() ?? 1);
    machines.forEach((machine, index) => {
      const others = seen[1 - index] ?? 1;
      machine.running = machine.target.next(wanted - others, machine.running, second * SECOND, others);
      known[index]?.push(machine.running);
    });
    totals.push(machines.reduce((sum, { running }) => sum + running, 0));
  }
  expect(Math.max(...totals)).toBeGreaterThanOrEqual(6);
  expect(new Set(totals.slice(700))).toEqual(new Set([3]));
});

test('runs one API process for two cores and one worker for each where it may choose', () => {
  expect([1, 2, 3, 8].map((cores) => countApis('auto', cores))).toEqual([1, 1, 1, 4]);
  expect(countApis(3, 2)).toBe(3);
  expect(countWorkers('auto', 2)).toEqual({ min: 1, max: 2 });
  expect(countWorkers(5, 2)).toEqual({ min: 5, max: 5 });
});
