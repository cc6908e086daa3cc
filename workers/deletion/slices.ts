import { setTimeout as sleep } from 'node:timers/promises';

// The bounds of a pause, however long its slice took.
const PAUSE_MIN_MS = 2;
const PAUSE_MAX_MS = 250;

/** Paces an erasure: a slice takes Redis a few milliseconds at most, and is followed by a pause. */
export interface Pace {
  /** Pauses after a slice that began at `startedAt` (by `performance.now`); throws if the erasure is to stop. */
  rest(startedAt: number): Promise<void>;
}

/** A pace that checks after each pause whether to go on. A pause is `timesAsLong` times as long as its slice, within the bounds above. */
export function openPace(mayGoOn: () => Promise<boolean>, timesAsLong = 1): Pace {
  return {
    async rest(startedAt) {
      const took = performance.now() - startedAt;
      await sleep(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, took * timesAsLong)));
      if (!(await mayGoOn())) throw new Interrupted();
    },
  };
}

/** The erasure was stopped, or its lease is lost: another process continues it. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
