import { expect, test } from 'vitest';
import { nextAttemptAt, RETRY_DELAYS, readRetryAfter } from '../../../workers/delivery/retry-schedule.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const NOW = Date.UTC(2026, 0, 1);

test('there are ten attempts over about three days, each with some jitter', () => {
  const waits = Array.from({ length: 10 }, (_, index) => nextAttemptAt(index + 1, null, RETRY_DELAYS, NOW));
  expect(waits.at(-1)).toBe(null);
  for (const [index, delay] of RETRY_DELAYS.entries()) {
    const wait = (waits[index] as number) - NOW;
    expect(wait).toBeGreaterThanOrEqual(delay);
    expect(wait).toBeLessThanOrEqual(delay * 1.2);
  }
  expect(RETRY_DELAYS.reduce((sum, delay) => sum + delay, 0)).toBe(75 * HOUR + 35 * 60 * SECOND + 5 * SECOND);
  const tries = Array.from({ length: 20 }, () => nextAttemptAt(4, null, RETRY_DELAYS, NOW));
  expect(new Set(tries).size).toBeGreaterThan(1);
});

test('a receiver may ask for longer, not for ever and not for less', () => {
  expect(nextAttemptAt(1, HOUR, RETRY_DELAYS, NOW)).toBe(NOW + HOUR);
  expect(nextAttemptAt(2, SECOND, RETRY_DELAYS, NOW)).toBeGreaterThanOrEqual(NOW + 300 * SECOND);
  expect(readRetryAfter('120', NOW)).toBe(120 * SECOND);
  expect(readRetryAfter(new Date(NOW + 90 * SECOND).toUTCString(), NOW)).toBe(90 * SECOND);
  expect(readRetryAfter(new Date(NOW - HOUR).toUTCString(), NOW)).toBe(0);
  expect(readRetryAfter('99999999999999999999', NOW)).toBe(24 * HOUR);
  for (const header of [undefined, '', 'soon', '-5', '1e3 apples'])
    expect(readRetryAfter(header, NOW)).toBe(null);
});
