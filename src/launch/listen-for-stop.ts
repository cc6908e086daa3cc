/** A request that this process ends. */
export interface StopRequest {
  /** Aborts when the request comes. */
  signal: AbortSignal;
  /** Resolves at the same time. */
  requested: Promise<void>;
}

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP. Calls `onInsist` for every further signal. */
export function listenForStop(onInsist: () => void): StopRequest {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) onInsist();
      controller.abort();
    });
  }
  return { signal: controller.signal, requested };
}
