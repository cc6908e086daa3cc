import { pathToFileURL } from 'node:url';
import type { methods } from '../../../workers/sandbox/methods.ts';

// Loaded before a worker's main file, with numbers of ms in BENCH_HOLD_MS and BENCH_SLOW_MS: `help.getSupport` and `updates.getState` then
// hold their process for that long without using CPU, as a driver would that waits for something outside and lets nothing else run. So a
// worker is busy while the machine is not. It finds whichever build of the methods the main file is going to load.
const main = pathToFileURL(process.argv[1] ?? '').href;
const [bench] = /^.*\/dist\/bench\//.exec(main) ?? [];
const file = bench === undefined ? new URL('methods.js', main).href : `${bench}workers/sandbox/methods.js`;
const { methods: executed } = (await import(file)) as { methods: typeof methods };
const never = new Int32Array(new SharedArrayBuffer(4));

hold('help.getSupport', process.env.BENCH_HOLD_MS);
hold('updates.getState', process.env.BENCH_SLOW_MS);

function hold(name: 'help.getSupport' | 'updates.getState', ms: string | undefined): void {
  if (ms === undefined) return;
  const method = executed[name] as { run: (...args: never[]) => unknown };
  const { run } = method;
  method.run = (...args) => {
    Atomics.wait(never, 0, 0, Number(ms));
    return run(...args);
  };
}
