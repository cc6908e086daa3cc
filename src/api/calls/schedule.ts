import * as z from 'zod';
import type { Problem } from '../../problem.ts';
import { invalidBody } from './call-body.ts';

/** When a call may run, and when it expires, in ms since the epoch. */
export interface Schedule {
  scheduleAt: number | null;
  expiresAt: number;
  /** The problem if a time is in the past. It does not apply to a call that was accepted before with the same key. */
  overdue: Problem | null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How many days ahead the times of a call may be. */
export const AHEAD_MAX_DAYS = 30;

// Callers' clocks are not exact.
const LATE_MAX_MS = 60_000;

const OVER = 'The time is over: send a later one, or leave it out.';
const TOO_EARLY = 'The call may not run before `scheduleAt`: send a time after that, or leave it out.';

const time = z.iso.datetime({ offset: true });

/**
 * Reads `scheduleAt` and `expiresAt`, ISO 8601 times with an offset or `Z`. Throws `invalid_body` for anything else, and for times too far
 * ahead. Times more than a minute in the past, and an `expiresAt` before `scheduleAt`, make the schedule `overdue`.
 */
export function readSchedule(
  given: { scheduleAt?: unknown; expiresAt?: unknown },
  now: number,
  expiryMs: number,
): Schedule {
  const scheduleAt = readTime('scheduleAt', given.scheduleAt, now + AHEAD_MAX_DAYS * DAY_MS);
  const start = Math.max(now, scheduleAt ?? 0);
  const expiresAt = readTime('expiresAt', given.expiresAt, start + AHEAD_MAX_DAYS * DAY_MS);
  const overdue =
    overdueAt('scheduleAt', scheduleAt, now - LATE_MAX_MS, OVER) ??
    overdueAt('expiresAt', expiresAt, start, start > now ? TOO_EARLY : OVER);
  return { scheduleAt, expiresAt: expiresAt ?? start + expiryMs, overdue };
}

function readTime(name: string, value: unknown, latest: number): number | null {
  if (value === undefined) return null;
  const pointer = `/${name}`;
  if (!time.safeParse(value).success) {
    const example = new Date(latest - (AHEAD_MAX_DAYS - 1) * DAY_MS).toISOString();
    throw invalidBody([{ pointer, detail: `An ISO 8601 time is needed, such as ${example}.` }]);
  }
  const at = Date.parse(value as string);
  if (at > latest) throw invalidBody([{ pointer, detail: `At most ${AHEAD_MAX_DAYS} days ahead.` }]);
  return at;
}

function overdueAt(name: string, at: number | null, earliest: number, detail: string): Problem | null {
  if (at === null || at >= earliest) return null;
  return invalidBody([{ pointer: `/${name}`, detail }]);
}
