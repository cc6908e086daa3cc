import { expect, it } from 'vitest';
import { WorkerLoad } from '../../../workers/worker-load.ts';

/** Keeps the event loop at work, and lets it go on to its next turn, with which that counts. */
async function work(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 5));
}

const aLoad = () =>
  new WorkerLoad({
    runner: { runningIn: { shared: 0, slow: 0, lone: 0 }, oldestWaitMs: 0 },
    callLog: { count: 0 },
    asyncCalls: { due: 0 },
  });

it('counts as busy what is done once the worker is there, and not that it was started', async () => {
  await work(500);
  const load = aLoad();
  await work(5);
  expect(load.figures().busyShare).toBeLessThan(0.05);
  await work(500);
  expect(load.figures().busyShare).toBeGreaterThan(0.1);
});
