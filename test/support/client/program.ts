import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--target', 'es2022'];

/** Compiles a TypeScript program of somebody who has installed the package, and runs it. Gives what both print. */
export async function runProgram(code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-program-'));
  try {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    symlinkSync(ROOT, join(folder, 'node_modules/switchboard'));
    symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'program.ts'), code);
    const compiled = await run(folder, [
      TSC,
      ...STRICT,
      '--module',
      'nodenext',
      '--types',
      'node',
      'program.ts',
    ]);
    return compiled + (await run(folder, ['program.js'], env));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, command: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd, env: { ...process.env, ...env } }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
