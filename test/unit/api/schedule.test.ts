import { expect, it } from 'vitest';
import { readSchedule } from '../../../src/api/calls/schedule.ts';

const NOW = Date.UTC(2030, 0, 31, 12);
const MINUTE = 60_000;

const inMs = (ms: number) => new Date(NOW + ms).toISOString();

it.each([
  [{ expiresAt: inMs(-1) }, '/expiresAt', 'The time is in the past'],
  [{ scheduleAt: inMs(-MINUTE), expiresAt: inMs(-1) }, '/expiresAt', 'The time is in the past'],
  [{ scheduleAt: inMs(-MINUTE - 1) }, '/scheduleAt', 'The time is in the past'],
  [{ scheduleAt: inMs(MINUTE), expiresAt: inMs(MINUTE - 1) }, '/expiresAt', 'before `scheduleAt`'],
])('says why a call could not run: %j', (given, pointer, reason) => {
  const { errors = [] } = readSchedule(given, NOW, MINUTE).overdue?.options ?? {};
  expect(errors).toEqual([{ pointer, detail: expect.stringContaining(reason) }]);
});

it('takes times that are just over, as clocks are not exact', () => {
  const given = { scheduleAt: inMs(-MINUTE), expiresAt: inMs(0) };
  expect(readSchedule(given, NOW, MINUTE)).toEqual({
    scheduleAt: NOW - MINUTE,
    expiresAt: NOW,
    overdue: null,
  });
});

it('gives an example that it takes', () => {
  const read = (scheduleAt: string) => readSchedule({ scheduleAt }, NOW, MINUTE);
  const example = /\S+Z(?=\.")/;
  try {
    read('tomorrow');
    expect.unreachable();
  } catch (error) {
    const [scheduleAt = ''] = example.exec(JSON.stringify(error)) ?? [];
    expect(read(scheduleAt).scheduleAt).toBeGreaterThan(NOW);
  }
});
