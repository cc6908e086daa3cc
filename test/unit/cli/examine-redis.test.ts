import { expect, it } from 'vitest';
import { examineClock, examinePersistence } from '../../../src/cli/doctor/examine-redis.ts';

it.each([
  [90_000, "Its clock is 90 s ahead of this machine's."],
  [-5_000, "Its clock is 5 s behind this machine's."],
  [-900, "Its clock and this machine's agree."],
])('says which clock is behind: %d ms', (apartMs, found) => {
  expect(examineClock(apartMs).found).toBe(found);
});

it('takes snapshots that it may not ask for neither for there nor for missing', async () => {
  const server = { config: () => Promise.reject(new Error('NOPERM')) };
  expect(await examinePersistence(server as never, new Map([['aof_enabled', '0']]))).toMatchObject({
    level: 'warn',
    found: expect.stringContaining('does not say'),
  });
});

it.each([
  ['', 'fail'],
  ['3600 1', 'warn'],
])('judges a Redis without append-only file by its snapshots: %j', async (save, level) => {
  const server = { config: async () => ['save', save] };
  expect(await examinePersistence(server as never, new Map([['aof_enabled', '0']]))).toMatchObject({ level });
});
