import { expect, it } from 'vitest';
import { WorkerLoad } from '../../../workers/worker-load.ts';

/** Keeps the event loop at work, and lets it go on to its next turn, with which that counts. */
async function work(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 5));
}

const aLoad = (running = { shared: 0, slow: 0, lone: 0, async: 0 }) =>
  new WorkerLoad({
    runner: { runningIn: running, oldestWaitMs: 0 },
    callLog: { count: 0 },
    asyncCalls: { due: 0, running: running.async },
  });

it('counts as busy what is done once the worker is there, and not that it was started', async () => {
  await work(500);
  let load: WorkerLoad;
  let since: number;
  let rounds = 0;
  // On a busy machine, the same may take long.
  do {
    rounds += 1;
    load = aLoad();
    since = performance.now();
    await work(5);
  } while (performance.now() - since > 50 && rounds < 100);
  expect(load.figures().busyShare).toBeLessThan(0.05);
  await work(500);
  expect(load.figures().busyShare).toBeGreaterThan(0.1);
});

it('counts the async calls that run, and those of the slow lane apart', () => {
  const running = { shared: 1, slow: 2, lone: 4, async: 8 };
  expect(aLoad(running).figures()).toMatchObject({ running: 13, slowRunning: 2 });
});
