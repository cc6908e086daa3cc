import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('the bench measures the service beside the other designs', async () => {
  const args = ['--only', 'reads', '--connections', '8', '--rounds', '1', '--seconds', '0.3'];
  const { stdout } = await run(process.execPath, ['src/launch/run.mjs', 'bench', ...args]);

  for (const design of ['Switchboard', 'usual design', 'no queue']) expect(stdout).toContain(design);
  expect(stdout).not.toContain('could not be measured');
});

test.each(['bench', 'torture'])('npm run %s -- --help says what its options are', async (name) => {
  const { stdout } = await run(process.execPath, ['src/launch/run.mjs', name, '--help']);
  expect(stdout).toContain(`npm run ${name} -- [options]`);
});
