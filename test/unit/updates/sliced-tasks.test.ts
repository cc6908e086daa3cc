import { expect, it } from 'vitest';
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
  const seen: number[] = [];
  await until(() => seen.push(taken) > 0 && taken === 20);
  // One step is more than a slice, so nobody waits for two.
  const leaps = seen.map((count, index) => count - (seen[index - 1] ?? 0));
  expect(Math.max(...leaps)).toBe(1);
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
