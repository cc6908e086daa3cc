import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Readiness } from '../../../src/api/readiness.ts';

test('checks run once for all who ask within a second, and again after it', async () => {
  let looks = 0;
  const readiness = new Readiness({
    thing: async () => {
      looks += 1;
      await sleep(50);
      return null;
    },
  });
  const reports = await Promise.all(Array.from({ length: 1_000 }, () => readiness.report()));
  reports.push(await readiness.report());
  expect(new Set(reports)).toEqual(new Set([{ isReady: true, checks: { thing: 'ok' } }]));
  expect(looks).toBe(1);
  await sleep(1_100);
  await readiness.report();
  expect(looks).toBe(2);
});

test('one check that fails, or does not end within a second, is enough not to be ready', async () => {
  const readiness = new Readiness({
    well: async () => null,
    full: async () => 'full',
    broken: () => Promise.reject(new Error('no connection')),
    stuck: () => new Promise(() => undefined),
  });
  vi.useFakeTimers();
  const report = readiness.report();
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(await report).toEqual({
    isReady: false,
    checks: { well: 'ok', full: 'full', broken: 'unreachable', stuck: 'unreachable' },
  });
});

test('an answer that came while the process stood still is not missed', async () => {
  const readiness = new Readiness({ thing: () => stat('package.json').then(() => null) });
  const report = readiness.report();
  for (const until = performance.now() + 1_100; performance.now() < until; );
  expect(await report).toEqual({ isReady: true, checks: { thing: 'ok' } });
});
