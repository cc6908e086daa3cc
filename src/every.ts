/** A repeated action. */
export interface Repeated {
  /** Stops it, and resolves once a run in progress has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** Called for the first of several failures in a row. Without it a failure ends the process, like a programming error. */
  onFailure?: (error: unknown) => void;
  /** The part by which each pause may randomly be shorter or longer, so that processes do not run at the same moment. */
  spread?: number;
  /** Whether the first run comes before the first pause. */
  atOnce?: boolean;
}

// Made once: an error takes long to make, and thousands of connections may end at once.
const STOPPED = new DOMException('The repetition was stopped', 'AbortError');

/**
 * Runs `act` again and again with a pause of `ms` between the end of one run and the start of the next, so that runs never overlap.
 * `act` is told by its signal when it is stopped. It does not keep the process alive.
 */
export function every(
  ms: number,
  act: (signal: AbortSignal) => unknown,
  { onFailure, spread = 0, atOnce = false }: RepeatOptions = {},
): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;

  function pause(): void {
    running = undefined;
    if (!signal.aborted) timer = setTimeout(run, ms * (1 + spread * (2 * Math.random() - 1))).unref();
  }

  function succeed(): void {
    isFailing = false;
    pause();
  }

  function fail(error: unknown): void {
    if (onFailure === undefined) throw error;
    if (!isFailing && !signal.aborted) onFailure(error);
    isFailing = true;
    pause();
  }

  function run(): void {
    try {
      const result = act(signal);
      // No promise for a synchronous run: some actions run every few milliseconds.
      if (result instanceof Promise) running = result.then(succeed, fail);
      else succeed();
    } catch (error) {
      fail(error);
    }
  }

  if (atOnce) run();
  else pause();
  return {
    async stop() {
      stopping.abort(STOPPED);
      clearTimeout(timer);
      await running;
    },
  };
}
