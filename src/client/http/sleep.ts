import { onAbort } from './on-abort.ts';

/** The longest time of a timer, in ms: one of more ends at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Resolves after some ms; rejects with the signal's reason once that is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer);
      stop();
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
    const stop = onAbort(signal, wake);
    if (signal?.aborted) wake();
  });
}
