import { pathToFileURL } from 'node:url';
import type { methods } from '../../../workers/sandbox/methods.ts';

// Loaded before a worker's main file, with a number of ms in BENCH_HOLD_MS: `help.getSupport` then holds its process for that
// long without using CPU, as a driver would that waits for something outside and lets nothing else run. So a worker is busy
// while the machine is not. It finds whichever build of the methods the main file is going to load.
const [build] = /^.*\/dist\/(bench\/)?/.exec(pathToFileURL(process.argv[1] ?? '').href) ?? [];
const holdMs = Number(process.env.BENCH_HOLD_MS);
const { methods: executed } = (await import(`${build}workers/sandbox/methods.js`)) as {
  methods: typeof methods;
};
const method = executed['help.getSupport'] as {
  run: (typeof methods)['help.getSupport']['run'];
};
const { run } = method;
const never = new Int32Array(new SharedArrayBuffer(4));

method.run = (params, call) => {
  Atomics.wait(never, 0, 0, holdMs);
  return run(params, call);
};
