import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import { logErrors } from '../../../src/queue/log-errors.ts';

let worker: EventEmitter;
let said: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  worker = new EventEmitter();
  said = [];
  const write = (line: string) => {
    const { lane, msg, err } = JSON.parse(line);
    said.push(`${lane} ${msg}: ${err.message}`);
  };
  logErrors(worker as never, openLogger({ LOG_LEVEL: 'info' }, 'test', { write }), { lane: 'slow' }, 'error');
});

afterEach(() => vi.useRealTimers());

test('an error that comes ten times a second is logged every ten seconds', () => {
  for (let count = 0; count < 199; count += 1) {
    worker.emit('error', new Error('MISCONF'));
    vi.advanceTimersByTime(100);
  }
  expect(said).toEqual(['slow error: MISCONF', 'slow error: MISCONF']);
});

test('other errors meanwhile are logged too, twenty at most', () => {
  for (const name of ['one', 'two', 'one', 'two']) worker.emit('error', new Error(name));
  expect(said).toEqual(['slow error: one', 'slow error: two']);
  for (let count = 0; count < 100; count += 1) worker.emit('error', new Error(`of job ${count}`));
  expect(said).toHaveLength(20);
});
