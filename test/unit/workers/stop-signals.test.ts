import { expect, it } from 'vitest';
import { StopSignals } from '../../../workers/stop-signals.ts';

const LONG_MS = 60_000;

it('what begins after everything was told to stop is told so too', async () => {
  const signals = new StopSignals();
  const reasonOf = (id: string) => signals.run(id, LONG_MS, async (signal) => signal.reason?.code);
  expect(await reasonOf('before')).toBeUndefined();
  signals.stopAll();
  expect(await reasonOf('after')).toBe('shutting_down');
});

it('a call is told to stop when its time is over', async () => {
  const signals = new StopSignals();
  const reason = signals.run('late', 10, (signal) => {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason.code)));
  });
  expect(await reason).toBe('call_timeout');
});
