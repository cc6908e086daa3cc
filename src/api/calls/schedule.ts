import * as z from 'zod';
import type { Problem } from '../../problem.ts';
import { invalidBody } from './call-body.ts';

/** When a call may run, and when it expires, in ms since the epoch. */
export interface Schedule {
  scheduleAt: number | null;
  expiresAt: number;
  /**
   * The problem if a time is in the past, or `expiresAt` is before `scheduleAt`; else null. Ignore it for a repeat of a call that was
   * accepted with the same Idempotency-Key.
   */
  overdue: Problem | null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The most days that `scheduleAt` may be after now, and `expiresAt` after the later of now and `scheduleAt`. */
export const AHEAD_MAX_DAYS = 30;

// Callers' clocks are not exact.
const LATE_MAX_MS = 60_000;

const OVER = 'The time is in the past: send a later one, or leave it out.';
const TOO_EARLY = 'The call may not run before `scheduleAt`: send a time after that, or leave it out.';

const time = z.iso.datetime({ offset: true });

/**
 * Reads `scheduleAt` and `expiresAt`, ISO 8601 times with an offset or `Z`. Throws `invalid_body` for anything else, and for times too far
 * ahead. A `scheduleAt` more than a minute in the past, or an `expiresAt` in the past or before `scheduleAt`, makes the schedule `overdue`.
 */
export function readSchedule(
  given: { scheduleAt?: unknown; expiresAt?: unknown },
  now: number,
  expiryMs: number,
): Schedule {
  const scheduleAt = readTime('scheduleAt', given.scheduleAt, now, 'now');
  const start = Math.max(now, scheduleAt ?? 0);
  const startName = scheduleAt !== null && scheduleAt > now ? '`scheduleAt`' : 'now';
  const expiresAt = readTime('expiresAt', given.expiresAt, start, startName);
  const overdue =
    overdueAt('scheduleAt', scheduleAt, now - LATE_MAX_MS, OVER) ??
    overdueAt('expiresAt', expiresAt, start, start > now ? TOO_EARLY : OVER);
  return { scheduleAt, expiresAt: expiresAt ?? start + expiryMs, overdue };
}

function readTime(name: string, value: unknown, from: number, fromName: string): number | null {
  if (value === undefined) return null;
  const pointer = `/${name}`;
  if (!time.safeParse(value).success) {
    const example = new Date(from + DAY_MS).toISOString();
    const detail = `An ISO 8601 time with an offset or \`Z\` is needed, such as ${example}.`;
    throw invalidBody([{ pointer, detail }]);
  }
  const at = Date.parse(value as string);
  if (at > from + AHEAD_MAX_DAYS * DAY_MS)
    throw invalidBody([{ pointer, detail: `Must be at most ${AHEAD_MAX_DAYS} days after ${fromName}.` }]);
  return at;
}

function overdueAt(name: string, at: number | null, earliest: number, detail: string): Problem | null {
  if (at === null || at >= earliest) return null;
  return invalidBody([{ pointer: `/${name}`, detail }]);
}
