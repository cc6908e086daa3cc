import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Logger, openLogger } from '../../src/logger.ts';
import { mayLogLine } from '../../src/tenant-lines.ts';

let written: Record<string, unknown>[];
let log: Logger;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [written, log] = [[], aLogger('info')];
});

afterEach(() => {
  vi.useRealTimers();
});

function aLogger(level: 'info' | 'debug'): Logger {
  return openLogger({ LOG_LEVEL: level }, 'test', { write: (line) => void written.push(JSON.parse(line)) });
}

/** How many of so many lines about calls of a workspace may be logged. */
function count(lines: number, workspaceId: string): number {
  return Array.from({ length: lines }, () => mayLogLine(log, workspaceId)).filter(Boolean).length;
}

it('bounds the lines about calls of a workspace and of all, each second, and says how many were left out', () => {
  expect([count(30, 'a'), count(5, 'b')]).toEqual([20, 5]);
  expect(Array.from({ length: 20 }, (_, at) => count(30, `w${at}`)).reduce((a, b) => a + b)).toBe(175);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(written).toMatchObject([
    {
      level: 30,
      lines: 10 + 600 - 175,
      msg: 'lines about failed and slow calls, failed deliveries, due work that failed and requests not served were left out',
    },
  ]);
  expect([count(30, 'a'), count(30, 'b')]).toEqual([20, 20]);
  vi.advanceTimersByTime(1_000);
  expect(written).toMatchObject([{}, { lines: 20 }]);
  vi.advanceTimersByTime(10_000);
  expect(count(20, 'a')).toBe(20);
  vi.advanceTimersByTime(10_000);
  expect(written).toHaveLength(2);
});

it('bounds nothing where every call is logged', () => {
  log = aLogger('debug');
  expect(count(1_000, 'a')).toBe(1_000);
});
