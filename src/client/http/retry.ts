import { ApiError, NoAnswerError, SwitchboardError } from '../errors.ts';
import type { TryOptions } from '../options.ts';
import { sleep } from './sleep.ts';
import { withTimeLimit } from './time-limit.ts';

// Longer than a call may take (30 s), so that the API says what became of it.
const ATTEMPT_MS = 45_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 3_000;

// What the API says of a call whose fate it does not know, and a proxy of a request that got no answer.
const UNKNOWN_TO_PROXY = [500, 502, 504, 520, 524].map((status) => `http_${status}`);
const UNKNOWN = ['outcome_unknown', 'internal', 'call_in_flight', ...UNKNOWN_TO_PROXY];
// What the API says if Redis has not answered it, although that may have done its part.
const UNKNOWN_IF_RECORDED = [...UNKNOWN, 'unavailable', 'shutting_down'];
// Answers that hold for earlier attempts too, as they are given once the key has been looked up.
const OF_THE_KEY = ['reply_not_kept', 'idempotency_key_reused'];

/** Whether something with this error may have taken effect. */
export type Doubts = (error: unknown) => boolean;

/** How long and how often something is tried. */
export interface Limits {
  /** How long one attempt may take. */
  attemptMs: number;
  signal: AbortSignal | undefined;
  attempts: number;
  timeoutMs: number;
}

/** The limits that hold for a request: its own, or else those of the client. */
export function limitsOf(own: TryOptions, client: Omit<TryOptions, 'signal'>): Limits {
  return {
    attemptMs: own.attemptTimeoutMs ?? client.attemptTimeoutMs ?? ATTEMPT_MS,
    signal: own.signal,
    attempts: own.attempts ?? client.attempts ?? 20,
    timeoutMs: own.timeoutMs ?? client.timeoutMs ?? 120_000,
  };
}

/**
 * Returns the result of `attempt` once it succeeds. Retries after errors that may pass, as long as there are attempts and time left, and
 * never sooner than the API asks. The work must be safe to repeat. After an error that `doubts` says may hide an effect, a later refusal is
 * a `NoAnswerError`.
 */
export async function retrying<T>(
  { attemptMs, signal, attempts, timeoutMs }: Limits,
  attempt: (signal: AbortSignal) => Promise<T>,
  doubts: Doubts = () => false,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  let isInDoubt = false;
  for (let count = 1; ; count += 1) {
    try {
      return await withTimeLimit(Math.min(attemptMs, endsAt - performance.now()), signal, attempt);
    } catch (failure) {
      signal?.throwIfAborted();
      const error = isInDoubt ? inDoubt(failure) : failure;
      isInDoubt ||= doubts(failure);
      if (error instanceof SwitchboardError) error.attempts = count;
      const waitMs = Math.max(waitAfter(count), retryAfterOf(failure));
      if (!mayPass(failure) || count >= attempts || performance.now() + waitMs >= endsAt) throw error;
      await sleep(waitMs, signal);
    }
  }
}

/** Whether a call with this error may have taken effect. */
export function leavesInDoubt(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ApiError && UNKNOWN.includes(error.code));
}

/** Whether something that is recorded, such as an async call or an account, may have been so despite this error. */
export function mayBeRecorded(error: unknown): boolean {
  return leavesInDoubt(error) || (error instanceof ApiError && UNKNOWN_IF_RECORDED.includes(error.code));
}

/**
 * The error of a call one of whose earlier attempts may have taken effect. An answer of the messenger holds for those attempts too. A
 * refusal before the call is looked up by its key, such as by a rate limit, says nothing about them.
 */
export function inDoubt(error: unknown): unknown {
  const isOwn = error instanceof ApiError && error.code === error.code.toLowerCase();
  return isOwn && !OF_THE_KEY.includes(error.code) ? new NoAnswerError(error) : error;
}

/** Whether the same request may succeed later, or say then what became of it. */
export function mayPass(error: unknown): boolean {
  const last = lastOf(error);
  if (last instanceof ApiError) return last.problem.retryable || last.code === 'outcome_unknown';
  return last instanceof NoAnswerError;
}

/** How long to wait after the n-th failure in a row: exponential backoff with jitter. */
export function waitAfter(failures: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  return longest * (0.5 + Math.random() / 2);
}

/** How long (ms) the API asks to wait after an error; 0 if it does not say. */
export function retryAfterOf(error: unknown): number {
  const last = lastOf(error);
  return (last instanceof ApiError && last.retryAfterMs) || 0;
}

/** The answer of the last attempt: the error of a call in doubt has it as its cause. */
export function lastOf(error: unknown): unknown {
  return error instanceof NoAnswerError && error.cause instanceof ApiError ? error.cause : error;
}
