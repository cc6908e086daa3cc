import { spawn } from 'node:child_process';

/**
 * Runs a program until it ends and returns its exit code. Ends it if this process ends first.
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {import('node:child_process').StdioOptions} options.stdio
 * @param {(pid: number) => void} options.onSpawn
 * @returns {Promise<number | null>}
 */
export async function runChild(command, args, { cwd, stdio, onSpawn }) {
  const child = spawn(command, args, { cwd, stdio });
  const end = () => child.kill();
  process.once('exit', end);
  if (child.pid !== undefined) onSpawn(child.pid);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  process.off('exit', end);
  return code;
}
