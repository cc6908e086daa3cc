import { describe, expect, it } from 'vitest';
import { type Demand, desiredWorkers } from '../../../src/fleet/desired-workers.ts';

const TARGET_MS = 500;

/** Two workers that are busy half of the time with 1,000 calls a second, of 1 ms each. */
const steady: Demand = {
  workers: 2,
  busy: 1,
  arrivalRate: 1_000,
  doneRate: 1_000,
  waiting: 0,
  slow: 0,
  slowPerWorker: 96,
};

const desired = (changed: Partial<Demand>) => desiredWorkers({ ...steady, ...changed }, TARGET_MS);

describe('the number of workers', () => {
  it.each([
    ['as much as comes, at 70 % of their time', {}, 2],
    ['one where little comes', { busy: 0.1, arrivalRate: 100, doneRate: 100 }, 1],
    ['one where nothing comes', { busy: 0.01, arrivalRate: 0, doneRate: 0 }, 1],
    ['more where more comes than gets done', { workers: 3, arrivalRate: 2_000 }, 3],
    ['no more for as many waiting as half of the target allows', { waiting: 250 }, 2],
    ['more to catch up with what waits beyond that', { workers: 3, waiting: 750 }, 3],
    ['at most twice as many as there are', { workers: 2, waiting: 100_000 }, 4],
    ['one more while nobody knows how long a call takes', { busy: 0, doneRate: 0, waiting: 5 }, 3],
    ['one where there is none', { workers: 0, busy: 0, doneRate: 0, waiting: 5 }, 1],
    ['as many as waiting async calls keep busy', { workers: 4, busy: 4, arrivalRate: 0 }, 4],
    ['no more for them with a few others', { workers: 4, busy: 4, arrivalRate: 2 }, 4],
    ['as many as other work keeps busy', { workers: 4, busy: 1.5, arrivalRate: 0, doneRate: 0 }, 3],
    ['as many as have room for slow calls', { slow: 200 }, 3],
  ])('is %s', (_, changed, workers) => expect(desired(changed)).toBe(workers));
});
