const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failed attempt the next one follows, in milliseconds: the schedule that Standard Webhooks suggests. */
export const RETRY_DELAYS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const RETRY_AFTER_MAX_MS = 24 * HOUR;
const JITTER = 0.2;

/** When to retry after the n-th attempt has failed (ms since the epoch), and not before the receiver's `Retry-After`; null for never. */
export function nextAttemptAt(
  attempts: number,
  retryAfterMs: number | null,
  delays: readonly number[] = RETRY_DELAYS,
  now = Date.now(),
): number | null {
  const delay = delays[attempts - 1];
  if (delay === undefined) return null;
  return Math.round(now + Math.max(delay * (1 + JITTER * Math.random()), retryAfterMs ?? 0));
}

/** The wait that a `Retry-After` asks for, in milliseconds, at most a day; null if it is invalid. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  // Date.parse accepts much more than HTTP dates, such as a single number.
  const date = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : date - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS);
}
