import { setTimeout as sleep } from 'node:timers/promises';

const REPEAT_MS = 10_000;
const PAUSE_MS = 100;

/** Does something again and again for ten seconds, so that a victim makes enough calls beside it to tell. */
export async function repeat<T>(act: () => Promise<T>): Promise<T[]> {
  const until = performance.now() + REPEAT_MS;
  const results: T[] = [];
  do {
    results.push(await act());
    await sleep(PAUSE_MS);
  } while (performance.now() < until);
  return results;
}
