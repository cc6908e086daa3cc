import { expect, it } from 'vitest';
import { FairSemaphore } from '../../../workers/turns/fair-semaphore.ts';

/** A task that ends when told to. */
function aTask(): { task: () => Promise<void>; end: () => void; isRunning: () => boolean } {
  let running = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const task = async () => {
    running = true;
    await ended;
  };
  return { task, end, isRunning: () => running };
}

it('lets two tasks be under way at once, and who has none waiting goes first', async () => {
  const semaphore = new FairSemaphore(2);
  const all = ['a', 'a', 'a', 'a', 'b'].map((tenant) => ({ tenant, ...aTask() }));
  const done = all.map(({ tenant, task }) => semaphore.run(tenant, task));
  const running = () => all.map(({ isRunning }) => isRunning());
  expect(running()).toEqual([true, true, false, false, false]);
  all[0]?.end();
  await done[0];
  all[1]?.end();
  await done[1];
  // The first that waited, and then the other tenant's, before the rest of the first tenant's.
  expect(running()).toEqual([true, true, true, false, true]);
  for (const { end } of all) end();
  await Promise.all(done);
});

it('goes on after a task that fails', async () => {
  const semaphore = new FairSemaphore(2);
  const failing = () => Promise.reject(new Error('no'));
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => semaphore.run('a', failing)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(semaphore.run('a', async () => 7)).resolves.toBe(7);
});

it('lets others have the place of a task that waits for something, until there is one for it again', async () => {
  const semaphore = new FairSemaphore(1);
  const [apart, other] = [aTask(), aTask()];
  let wentOn = false;
  const waiting = semaphore.run('a', async () => {
    await semaphore.runWithoutPermit('a', apart.task);
    wentOn = true;
  });
  const running = semaphore.run('b', other.task);
  await Promise.resolve();
  expect([apart.isRunning(), other.isRunning()]).toEqual([true, true]);
  apart.end();
  await new Promise(setImmediate);
  expect(wentOn).toBe(false);
  other.end();
  await Promise.all([waiting, running]);
  expect(wentOn).toBe(true);
});

/** In which order tasks end when others come while the first one is between its parts. */
async function turnsOf(
  semaphore: FairSemaphore,
  betweenParts: (tenant: string) => Promise<void>,
): Promise<string> {
  const turns: string[] = [];
  const first = semaphore.run('a', async () => {
    await new Promise(setImmediate);
    await betweenParts('a');
    turns.push('a');
  });
  const others = ['b', 'b', 'b', 'c'].map((tenant) =>
    semaphore.run(tenant, async () => void turns.push(tenant)),
  );
  await Promise.all([first, ...others]);
  return turns.join('');
}

it('lets a task that comes back go before those that have not begun', async () => {
  const semaphore = new FairSemaphore(1);
  const part = (tenant: string) => semaphore.runWithoutPermit(tenant, async () => undefined);
  expect(await turnsOf(semaphore, part)).toBe('bacbb');
});

it('lets those of whom more waits go on beside tasks of many parts', async () => {
  const semaphore = new FairSemaphore(1);
  const turns: string[] = [];
  const longTask = (tenant: string) =>
    semaphore.run(tenant, async () => {
      for (let part = 0; part < 5; part += 1) {
        turns.push(tenant);
        await semaphore.requeue(tenant);
      }
    });
  const short = ['c', 'c', 'c'].map((tenant) => semaphore.run(tenant, async () => void turns.push(tenant)));
  await Promise.all([longTask('a'), longTask('b'), ...short]);
  expect(turns.join('')).toBe('ccabcabababab');
});

it('has a task wait for its next part as one that begins', async () => {
  const semaphore = new FairSemaphore(1);
  expect(await turnsOf(semaphore, (tenant) => semaphore.requeue(tenant))).toBe('bcabb');
});
