import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

// What loads ioredis: the modules of the API, and the file that a worker's modules are bundled into.
const LOADING_IOREDIS = ['dist/src/redis/connections.js', 'dist/workers/methods.js'];

test.each(LOADING_IOREDIS)('V8 may inline the methods of strings after %s was loaded', async (file) => {
  const script = `await import(${JSON.stringify(`./${file}`)}); console.log(%HasFastProperties(String.prototype))`;
  const { stdout } = await run(process.execPath, [
    '--allow-natives-syntax',
    '--input-type=module',
    '--eval',
    script,
  ]);
  expect(stdout.trim()).toBe('true');
});
