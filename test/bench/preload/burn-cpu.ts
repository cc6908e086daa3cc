import { pathToFileURL } from 'node:url';
import type { methods } from '../../../workers/sandbox/methods.ts';

// Loaded before a worker's main file, with the number of ms in BENCH_BURN_MS: `help.getSupport` then uses that much CPU more
// a call, in whichever build of the methods the main file is going to load.
const [build] = /^.*\/dist\/(bench\/)?/.exec(pathToFileURL(process.argv[1] ?? '').href) ?? [];
const burnMs = Number(process.env.BENCH_BURN_MS);
const { methods: executed } = (await import(`${build}workers/sandbox/methods.js`)) as {
  methods: typeof methods;
};
const method = executed['help.getSupport'] as {
  run: (typeof methods)['help.getSupport']['run'];
};
const { run } = method;

method.run = (params, call) => {
  const until = performance.now() + burnMs;
  while (performance.now() < until);
  return run(params, call);
};
