import { z } from 'zod';
import { invalidBody } from './call-body.ts';

/** When a call may run, and when it expires, in ms since the epoch. */
export interface Schedule {
  scheduleAt: number | null;
  expiresAt: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How many days ahead the times of a call may be. */
export const AHEAD_MAX_DAYS = 30;

// Callers' clocks are not exact.
const LATE_MAX_MS = 60_000;

const time = z.iso.datetime({ offset: true });

/**
 * Reads `scheduleAt` and `expiresAt`, ISO 8601 times with an offset or `Z`. Throws `invalid_body` for anything else, and for
 * times more than a minute in the past or too far ahead. `expiresAt` must be later than `scheduleAt`.
 */
export function readSchedule(
  given: { scheduleAt?: unknown; expiresAt?: unknown },
  now: number,
  expiryMs: number,
): Schedule {
  const scheduleAt = readTime(
    'scheduleAt',
    given.scheduleAt,
    now - LATE_MAX_MS,
    now + AHEAD_MAX_DAYS * DAY_MS,
  );
  const start = Math.max(now, scheduleAt ?? 0);
  const expiresAt = readTime('expiresAt', given.expiresAt, start, start + AHEAD_MAX_DAYS * DAY_MS);
  return { scheduleAt, expiresAt: expiresAt ?? start + expiryMs };
}

function readTime(name: string, value: unknown, earliest: number, latest: number): number | null {
  if (value === undefined) return null;
  const pointer = `/${name}`;
  if (!time.safeParse(value).success) {
    const detail = 'An ISO 8601 time is needed, such as 2030-01-31T12:00:00Z.';
    throw invalidBody([{ pointer, detail }]);
  }
  const at = Date.parse(value as string);
  if (at < earliest) throw invalidBody([{ pointer, detail: 'The time is over.' }]);
  if (at > latest) throw invalidBody([{ pointer, detail: `At most ${AHEAD_MAX_DAYS} days ahead.` }]);
  return at;
}
