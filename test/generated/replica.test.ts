import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findFailure, type Run } from '../support/sandbox/replica/find-failure.ts';

const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [1, 2, 3];
const ACTS = 400;
// As many as there are accounts: updates may lack the reactions that come with them only where more than five react in a second.
const AT_ONCE = 4;
const AN_HOUR = 60 * 60 * 1_000;

// What comes in the same second is then for the seed to say, not for how fast this machine is. Calls must not be over by Redis' clock,
// so this one is ahead.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AN_HOUR }));
afterEach(() => void vi.useRealTimers());

it.each(SEEDS)('who follows the updates knows what there is, after random acts with seed %i', (seed) =>
  makeActs({ seed, acts: ACTS, atOnce: 1, compareEvery: 10 }),
);

it(`who follows the updates knows what there is, after random acts of ${AT_ONCE} at once`, () =>
  makeActs({ seed: SEEDS[0] as number, acts: ACTS, atOnce: AT_ONCE, compareEvery: 5 * AT_ONCE }));

async function makeActs(run: Run): Promise<void> {
  const failure = await findFailure(run);
  if (failure !== null) expect.fail(failure);
}
