import { pathToFileURL } from 'node:url';

// Loaded before a worker's main file (NODE_OPTIONS): `help.getSupport` then uses SLOW_METHOD_MS of CPU more a call.
const [, main = ''] = process.argv;
if (main.endsWith('workers/main.js')) {
  const { methods } = await import(new URL('methods.js', pathToFileURL(main)).href);
  const method = methods['help.getSupport'];
  const { run } = method;
  method.run = (/** @type {unknown[]} */ ...given) => {
    const until = performance.now() + Number(process.env.SLOW_METHOD_MS);
    while (performance.now() < until);
    return run(...given);
  };
}
