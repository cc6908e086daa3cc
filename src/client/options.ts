/** How long and how often a request is tried. */
export interface TryOptions {
  /** Aborts the request, which then rejects with the signal's reason. What was sent may take effect nevertheless. */
  signal?: AbortSignal | undefined;
  /** How many attempts there are at most: 20 if the client has no other number. */
  attempts?: number | undefined;
  /** How long one attempt may take, in ms: 45,000 if the client has no other number. A call may take as long as `CALL_TIMEOUT_MS`. */
  attemptTimeoutMs?: number | undefined;
  /** How long all attempts and the waits between them may take, in ms: 120,000 if the client has no other number. */
  timeoutMs?: number | undefined;
}

/** The options of one call. */
export interface CallOptions extends TryOptions {
  /**
   * Identifies repetitions of the same call: 1 to 255 printable ASCII characters. The default is a new random key. Give your own key if the
   * call may be repeated by another process or after a restart.
   */
  idempotencyKey?: string | undefined;
}

/** The options of one async call. */
export interface AsyncCallOptions extends CallOptions {
  /** It does not run before: at most 30 days ahead. */
  scheduleAt?: Date | undefined;
  /** The latest time to run it: a day after it may run by default. */
  expiresAt?: Date | undefined;
}

/** The options of a client. */
export interface ClientOptions extends Omit<TryOptions, 'signal'> {
  /** The address of the API, such as `https://switchboard.example.com`. */
  url: string;
  /** The API key. */
  key: string;
  /** The function that sends requests, if not the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}
