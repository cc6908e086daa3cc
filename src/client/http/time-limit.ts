import { NoAnswerError } from '../errors.ts';
import { onAbort } from './on-abort.ts';
import { LONGEST_MS } from './sleep.ts';

/**
 * Runs `work` with a signal that is aborted after some ms, or with the caller's. It rejects then, whether or not the work heeds the signal:
 * with a `NoAnswerError`, or with the reason of the caller's signal.
 */
export async function withTimeLimit<T>(
  ms: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const limit = new AbortController();
  const end = () => limit.abort(new NoAnswerError(new Error(`nothing came for ${Math.round(ms)} ms`)));
  const timer = setTimeout(end, Math.min(ms, LONGEST_MS));
  const stop = onAbort(caller, () => limit.abort(caller?.reason));
  try {
    return await Promise.race([work(limit.signal), aborted(limit.signal)]);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
