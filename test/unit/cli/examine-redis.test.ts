import { expect, it } from 'vitest';
import { examineClock } from '../../../src/cli/doctor/examine-redis.ts';

it.each([
  [90_000, "Its clock is 90 s ahead of this machine's."],
  [-5_000, "Its clock is 5 s behind this machine's."],
  [-900, "Its clock and this machine's agree."],
])('says which clock is behind: %d ms', (apartMs, found) => {
  expect(examineClock(apartMs).found).toBe(found);
});
