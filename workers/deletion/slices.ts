import { setTimeout as sleep } from 'node:timers/promises';

// Redis and others are left at least as long in peace as a slice took, and always so long.
const PAUSE_MIN_MS = 2;
const PAUSE_MAX_MS = 250;

/** Paces an erasure: what is done in a slice takes Redis a few milliseconds at most, and behind each there is a pause. */
export interface Pace {
  /** Behind a slice that began at `startedAt` (by `performance.now`): throws when the erasure is to stop. */
  rest(startedAt: number): Promise<void>;
}

/** A pace that asks behind each pause whether to go on; a pause is `timesAsLong` as its slice was. */
export function openPace(mayGoOn: () => Promise<boolean>, timesAsLong = 1): Pace {
  return {
    async rest(startedAt) {
      const took = performance.now() - startedAt;
      await sleep(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, took * timesAsLong)));
      if (!(await mayGoOn())) throw new Interrupted();
    },
  };
}

/** The erasure was told to stop, or its lease is lost: another process goes on with it. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
