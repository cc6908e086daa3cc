import { ONE_REQUEST_MS } from '../run-process.ts';

/** A request that this process ends. */
export interface StopRequest {
  /** Aborts when the request comes. */
  signal: AbortSignal;
  /** Resolves at the same time. */
  requested: Promise<void>;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP. Calls `onInsist` for every later signal that is a request of its own. */
export function listenForStop(onInsist: () => void): StopRequest {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  let askedAt = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) askedAt = performance.now();
      else if (performance.now() - askedAt >= ONE_REQUEST_MS) onInsist();
      controller.abort();
    });
  }
  return { signal: controller.signal, requested };
}
