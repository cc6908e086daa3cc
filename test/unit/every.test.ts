import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { every, type Repeated, type RepeatOptions } from '../../src/every.ts';

const MS = 100;

let repeated: Repeated;

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  void repeated.stop();
  vi.useRealTimers();
});

function repeat(act: (signal: AbortSignal) => unknown, options?: RepeatOptions): void {
  repeated = every(MS, act, options);
}

describe('every', () => {
  it('runs after each pause, and no more once it is stopped', async () => {
    const act = vi.fn();
    repeat(act);
    expect(act).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3 * MS);
    expect(act).toHaveBeenCalledTimes(3);
    await repeated.stop();
    await vi.advanceTimersByTimeAsync(3 * MS);
    expect(act).toHaveBeenCalledTimes(3);
  });

  it('runs before the first pause if asked to', () => {
    const act = vi.fn();
    repeat(act, { atOnce: true });
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('does not overlap itself, and pauses after a run however long that took', async () => {
    const starts: number[] = [];
    repeat(async () => {
      starts.push(Date.now());
      await sleep(5 * MS);
    });
    const from = Date.now();
    await vi.advanceTimersByTimeAsync(13 * MS);
    expect(starts.map((start) => start - from)).toEqual([MS, 7 * MS, 13 * MS]);
  });

  it('waits for the run under way when it is stopped, and tells it by its signal', async () => {
    const ends: boolean[] = [];
    repeat(async (signal) => {
      await sleep(5 * MS);
      ends.push(signal.aborted);
    });
    await vi.advanceTimersByTimeAsync(2 * MS);
    const stopped = repeated.stop().then(() => ends.length);
    await vi.advanceTimersByTimeAsync(20 * MS);
    expect(await stopped).toBe(1);
    expect(ends).toEqual([true]);
  });

  it.each([
    ['throws', (error: Error) => () => throwIt(error)],
    ['rejects', (error: Error) => () => Promise.reject(error)],
  ])('tells of a failure once until it works again when it %s', async (_, failWith) => {
    const onFailure = vi.fn();
    const first = new Error('first');
    const second = new Error('second');
    let act: () => unknown = failWith(first);
    repeat(() => act(), { onFailure });
    await vi.advanceTimersByTimeAsync(3 * MS);
    expect(onFailure.mock.calls).toEqual([[first]]);
    act = () => undefined;
    await vi.advanceTimersByTimeAsync(MS);
    act = failWith(second);
    await vi.advanceTimersByTimeAsync(3 * MS);
    expect(onFailure.mock.calls).toEqual([[first], [second]]);
  });

  it('tells of no failure once it is stopped', async () => {
    const onFailure = vi.fn();
    repeat(
      async (signal) => {
        await sleep(MS);
        signal.throwIfAborted();
      },
      { onFailure },
    );
    await vi.advanceTimersByTimeAsync(MS);
    const stopped = repeated.stop();
    await vi.advanceTimersByTimeAsync(MS);
    await stopped;
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('varies its pauses by as much as it may', async () => {
    const starts: number[] = [Date.now()];
    repeat(() => starts.push(Date.now()), { spread: 0.25 });
    await vi.advanceTimersByTimeAsync(100 * MS);
    const pauses = starts.slice(1).map((start, index) => start - (starts[index] as number));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0.75 * MS - 1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.25 * MS + 1);
    expect(new Set(pauses).size).toBeGreaterThan(10);
  });

  it('does not keep the process alive', () => {
    vi.useRealTimers();
    const unref = vi.spyOn(globalThis, 'setTimeout');
    repeat(() => undefined);
    const timer = unref.mock.results[0]?.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(false);
    unref.mockRestore();
  });
});

// The fake timers know nothing of node:timers/promises.
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function throwIt(error: Error): never {
  throw error;
}
