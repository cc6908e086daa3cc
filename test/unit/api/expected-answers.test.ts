import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { ExpectedAnswers } from '../../../src/api/limits/expected-answers.ts';
import { AnswerThrottle } from '../../../src/api/server/answer-throttle.ts';

const METHOD = 'messages.getHistory';
const MIB = 1024 * 1024;

it('expects whole bytes, so that a large answer gets its permit once all others are given back', async () => {
  const expected = new ExpectedAnswers();
  const throttle = new AnswerThrottle();
  expected.add('org', METHOD, 100_003);
  for (let n = 0; n < 50; n += 1) {
    await sleep(1);
    expected.add('org', METHOD, 1);
    const bytes = [expected.of('org', METHOD, {})];
    expected.add('org', METHOD, 90_000 + n);
    bytes.push(expected.of('org', METHOD, {}));
    expect(bytes.every(Number.isInteger)).toBe(true);
    const permits = bytes.map((one) => throttle.take('org', one, 60_000));
    for (const permit of permits) throttle.giveBack('org', permit, 1);
  }
  expect(throttle.take('org', 2 * MIB, 60_000).granted).toBeNull();
});

it('forgets a large answer as fast where thousands of small ones come each second', () => {
  const startedAt = performance.now();
  let passedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => startedAt + passedMs);
  const expected = new ExpectedAnswers();
  expected.add('org', METHOD, MIB);
  for (; passedMs <= 60_000; passedMs += 0.5) expected.add('org', METHOD, 2_048);
  const afterMinute = expected.of('org', METHOD, {});
  for (; passedMs <= 300_000; passedMs += 0.5) expected.add('org', METHOD, 2_048);
  clock.mockRestore();
  expect(afterMinute).toBeGreaterThan(MIB / 4 - 1_024);
  expect(afterMinute).toBeLessThan(MIB / 4 + 1_024);
  expect(expected.of('org', METHOD, {})).toBeLessThanOrEqual(4_096);
});
