interface Waiting {
  callbacks: Set<() => void>;
  run: () => void;
}

const waitingOf = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `callback` when a signal is aborted, unless it already is. Returns a function that removes the callback. A signal has one listener
 * for all callbacks: Node warns of a memory leak from eleven on, and a thousand calls may share a signal.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const { callbacks } = waitingOf.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) unlisten(signal);
  };
}

function listen(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const run = () => {
    for (const callback of [...callbacks]) callback();
  };
  const waiting = { callbacks, run };
  waitingOf.set(signal, waiting);
  signal.addEventListener('abort', run);
  return waiting;
}

function unlisten(signal: AbortSignal): void {
  const waiting = waitingOf.get(signal);
  if (waiting !== undefined) signal.removeEventListener('abort', waiting.run);
  waitingOf.delete(signal);
}
