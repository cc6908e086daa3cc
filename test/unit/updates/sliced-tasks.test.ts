import { expect, it, vi } from 'vitest';
import { SlicedTasks } from '../../../src/updates/sliced-tasks.ts';

/** So many steps that each keep the process busy for a while. */
function steps(count: number, busyMs: number, onStep: () => void): () => boolean {
  let left = count;
  return () => {
    const until = performance.now() + busyMs;
    while (performance.now() < until);
    onStep();
    left -= 1;
    return left > 0;
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

it('takes the steps of all in turn, each as often as it wants', async () => {
  const turns = new SlicedTasks();
  const taken: string[] = [];
  turns.add(steps(5, 0.1, () => taken.push('a')));
  turns.add(steps(2, 0.1, () => taken.push('b')));
  turns.add(steps(3, 0.1, () => taken.push('c')));
  expect(taken).toEqual([]);
  await until(() => taken.length === 10);
  expect(taken.join('')).toBe('abcabcacaa');
});

it('lets other work go between slices', async () => {
  const turns = new SlicedTasks();
  let taken = 0;
  turns.add(steps(20, 1, () => (taken += 1)));
  let seen = 0;
  let most = 0;
  await until(() => {
    most = Math.max(most, taken - seen);
    seen = taken;
    return taken === 20;
  });
  // One step is more than a slice, so nobody waits for two.
  expect(most).toBe(1);
});

it('takes in what is added by a step, and goes on after it was idle', async () => {
  const turns = new SlicedTasks();
  const taken: string[] = [];
  turns.add(
    steps(2, 0, () => {
      taken.push('a');
      if (taken.length === 1) turns.add(steps(2, 0, () => taken.push('b')));
    }),
  );
  await until(() => taken.length === 4);
  expect(taken.toSorted().join('')).toBe('aabb');
  turns.add(steps(1, 0, () => taken.push('c')));
  await until(() => taken.length === 5);
});

it('rests longer the more the process is busy with other work', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const restsDuring = async (wait: (isDone: () => boolean, done: Promise<void>) => Promise<void>) => {
    timers.mockClear();
    let taken = 0;
    const done = new Promise<void>((resolve) => {
      const onStep = () => {
        taken += 1;
        if (taken === 20) resolve();
      };
      new SlicedTasks().add(steps(20, 1, onStep));
    });
    await wait(() => taken === 20, done);
    // Other timers of the process do not count.
    return timers.mock.calls.flatMap(([run, ms]) => (String(run) === '() => this.run()' ? [Number(ms)] : []));
  };
  const idle = await restsDuring((_, done) => done);
  const busy = await restsDuring((isDone) => until(isDone));
  expect([idle.length, busy.length]).toEqual([19, 19]);
  expect(Math.min(...idle, ...busy)).toBeGreaterThanOrEqual(3);
  expect(Math.min(...idle)).toBeLessThan(6);
  expect(Math.max(...busy)).toBeGreaterThan(12);
  expect(Math.max(...busy)).toBeLessThanOrEqual(15);
});
