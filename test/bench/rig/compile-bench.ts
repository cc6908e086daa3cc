import { spawn } from 'node:child_process';

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
}
