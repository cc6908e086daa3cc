import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

// The sources run compiled without a look at their types, so somebody has to look. A busy machine takes minutes for it.
it('the sources and the tests have no type errors', { timeout: 600_000 }, async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [TSC, '--noEmit', '--checkers', '1', '-p', 'test'],
      { cwd: ROOT },
      (_error, stdout) => resolve(stdout),
    );
  });
  expect(output).toBe('');
});
