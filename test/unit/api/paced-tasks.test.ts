import { afterEach, expect, it, vi } from 'vitest';
import { PacedTasks } from '../../../src/api/server/paced-tasks.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('takes one of each organization in turn, each in its order, one a turn of the event loop', async () => {
  const tasks = new PacedTasks();
  const run: string[] = [];
  let isSameTurn = false;
  const add = (name: string) =>
    tasks.add(name.slice(0, 1), () => {
      expect(isSameTurn).toBe(false);
      isSameTurn = true;
      setImmediate(() => {
        isSameTurn = false;
      });
      run.push(name);
    });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) add(name);
  await tasks.next('b');
  expect(run.join(' ')).toBe('a1 b1 c1 a2 b2 a3');
  await tasks.next('a');
  expect(run.at(-1)).toBe('a4');
});

it('runs a few small ones in a turn of the event loop, without a rest', async () => {
  const tasks = new PacedTasks({ perTurn: 3, rests: false });
  const runs: string[] = [];
  for (const name of ['a', 'a', 'a', 'a', 'b']) tasks.add(name, () => runs.push(name));
  setImmediate(() => runs.push('|'));
  await tasks.next('b');
  expect(runs.join(' ')).toBe('a b a | a a');
});

it('runs fewer in a turn that weigh as much as several', async () => {
  const tasks = new PacedTasks({ perTurn: 4, rests: false });
  const runs: string[] = [];
  for (const weight of [1, 2, 1, 3, 3, 4, 1]) tasks.add('a', () => runs.push(`${weight}`), weight);
  const note = () => {
    runs.push('|');
    if (runs.length < 12) setImmediate(note);
  };
  setImmediate(note);
  await tasks.next('a');
  expect(runs.join(' ')).toBe('1 2 1 | 3 3 | 4 | 1');
});

it('rests for as long as tasks took, not after each short one', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  // Vitest sets timers of its own meanwhile.
  const rests = () =>
    timers.mock.calls.filter(([act]) => `${act}`.includes('this.run()')).map(([, ms]) => ms);
  const clock = vi.spyOn(performance, 'now');
  let now = 0;
  clock.mockImplementation(() => now);
  const tasks = new PacedTasks();
  const take = async (ms: number) => {
    tasks.add('a', () => {
      now += ms;
    });
    await tasks.next('a');
  };
  for (let n = 0; n < 3; n += 1) await take(0.25);
  expect(rests()).toEqual([]);
  await take(0.25);
  await take(4);
  expect(rests()).toEqual([1, 4]);
});
