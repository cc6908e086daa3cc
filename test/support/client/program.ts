import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--target', 'es2022'];

/** Compiles a TypeScript program of somebody who has installed the package, and runs it. Gives what both print. */
export function runProgram(code: string, env: NodeJS.ProcessEnv): Promise<string> {
  return inPackage(
    async (folder) => (await compile(folder, [code])) + (await run(folder, ['program0.js'], env)),
  );
}

/** Compiles such programs. Gives the compiler's complaints. */
export function compilePrograms(codes: string[]): Promise<string> {
  return inPackage((folder) => compile(folder, codes));
}

async function inPackage(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-program-'));
  try {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    symlinkSync(ROOT, join(folder, 'node_modules/switchboard'));
    symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(folder: string, codes: string[]): Promise<string> {
  const names = codes.map((_, number) => `program${number}.ts`);
  for (const [number, name] of names.entries()) writeFileSync(join(folder, name), codes[number] ?? '');
  return run(folder, [TSC, ...STRICT, '--module', 'nodenext', '--types', 'node', ...names]);
}

function run(cwd: string, command: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd, env: { ...process.env, ...env } }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
