import { expect, it } from 'vitest';
import { LargeReads } from '../../../workers/turns/large-reads.ts';

/** A read that ends when told to. */
function aRead(): { read: () => Promise<void>; end: () => void; isRunning: () => boolean } {
  let running = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const read = async () => {
    running = true;
    await ended;
  };
  return { read, end, isRunning: () => running };
}

it('lets two reads be under way at once, and who has none waiting goes first', async () => {
  const reads = new LargeReads();
  const all = ['a', 'a', 'a', 'a', 'b'].map((tenant) => ({ tenant, ...aRead() }));
  const done = all.map(({ tenant, read }) => reads.run(tenant, read));
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

it('goes on after a read that fails', async () => {
  const reads = new LargeReads();
  const failing = () => Promise.reject(new Error('no'));
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => reads.run('a', failing)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(reads.run('a', async () => 7)).resolves.toBe(7);
});
