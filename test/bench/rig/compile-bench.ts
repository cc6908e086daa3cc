import { spawn } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';

/** Compiles the processes of the bench as the service is compiled; types are checked elsewhere. */
export async function compileBench(): Promise<void> {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'test/bench', '--noCheck'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  if (code !== 0) throw new Error('The bench does not compile; the messages are above.');
  // The designs serve the pages too, and look for them beside their own code.
  await rm('dist/bench/pages', { force: true });
  await symlink('../pages', 'dist/bench/pages');
}
