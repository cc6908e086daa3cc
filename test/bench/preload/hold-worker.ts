import { pathToFileURL } from 'node:url';
import type { methods } from '../../../workers/sandbox/methods.ts';

// Loaded before a worker's main file, with numbers of ms in BENCH_HOLD_MS and BENCH_SLOW_MS: `help.getSupport` and `updates.getState` then
// hold their process for that long without using CPU, as a driver would that waits for something outside and lets nothing else run. So a
// worker is busy while the machine is not. It finds whichever build of the methods the main file is going to load, if that runs any.
const main = pathToFileURL(process.argv[1] ?? '').href;
const [bench] = /^.*\/dist\/bench\//.exec(main) ?? [];
const never = new Int32Array(new SharedArrayBuffer(4));

if (bench !== undefined) await holdMethods(`${bench}workers/sandbox/methods.js`);
else if (main.endsWith('/workers/main.js')) await holdMethods(new URL('methods.js', main).href);

async function holdMethods(file: string): Promise<void> {
  const { methods: executed } = (await import(file)) as { methods: typeof methods };
  hold(executed['help.getSupport'], process.env.BENCH_HOLD_MS);
  hold(executed['updates.getState'], process.env.BENCH_SLOW_MS);
}

function hold(held: object, ms: string | undefined): void {
  if (ms === undefined) return;
  const method = held as { run: (...args: never[]) => unknown };
  const { run } = method;
  method.run = (...args) => {
    Atomics.wait(never, 0, 0, Number(ms));
    return run(...args);
  };
}
