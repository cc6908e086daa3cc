import { beforeEach, expect, it } from 'vitest';
import { StartingWorkers } from '../../../src/launch/processes/starting-workers.ts';

let starting: StartingWorkers;

beforeEach(() => {
  starting = new StartingWorkers();
});

it('counts those that do not run yet', () => {
  expect(starting.count([1, 2, 3], [1, 7], 0)).toBe(2);
  expect(starting.count([1, 2, 3], [1, 2, 3], 1_000)).toBe(0);
});

it('gives up on one that does not run after 15 seconds', () => {
  expect(starting.count([1], [], 0)).toBe(1);
  expect(starting.count([1, 2], [], 14_999)).toBe(2);
  expect(starting.count([1, 2], [], 15_000)).toBe(1);
});

it('waits anew for a process that has the pid of one that was gone', () => {
  starting.count([1], [], 0);
  starting.count([], [], 10_000);
  expect(starting.count([1], [], 20_000)).toBe(1);
});
