import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorker } from './bundle-worker.mjs';
import { clearPages, packPages } from './pack-pages.mjs';
import { runChild } from './run-child.mjs';

/** What is compiled: what runs here, the types of the client for programs, and the pages for browsers. */
const PROJECTS = ['tsconfig.json', 'src/client/tsconfig.json', 'src/pages/tsconfig.emit.json'];

/**
 * True if dist/ is up to date with the sources. Without a compiler (in a production image), any dist/ counts.
 * @param {string} root
 */
export function isCompiled(root) {
  if (!existsSync(compilerFile(root))) return existsSync(join(root, 'dist/src'));
  return readStamp(root) === computeStamp(root);
}

/**
 * Compiles the sources to dist/, with the types of the client and the pages. It does not check types, which would take ten times as long and produce the
 * same output.
 * @param {string} root
 * @param {(pid: number) => void} onSpawn
 */
export async function compile(root, onSpawn) {
  const stamp = computeStamp(root);
  clearPages(root);
  for (const project of PROJECTS.filter((file) => existsSync(join(root, file)))) {
    const code = await runChild(process.execPath, [compilerFile(root), '--noCheck', '-p', project], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      onSpawn,
    });
    if (code !== 0) throw new Error('The sources do not compile; the messages are above.');
  }
  await bundleWorker(root);
  packPages(root);
  writeFileSync(stampFile(root), stamp);
}

/** @param {string} root */
function compilerFile(root) {
  return join(root, 'node_modules/typescript/bin/tsc');
}

/** @param {string} root */
function stampFile(root) {
  return join(root, 'dist/.compiled');
}

/** @param {string} root */
function readStamp(root) {
  try {
    return readFileSync(stampFile(root), 'utf8');
  } catch {
    return null;
  }
}

/**
 * A hash over path, size and time of every input of the compiler, so that a removed or older file counts as a change too.
 * @param {string} root
 */
function computeStamp(root) {
  const hash = createHash('sha256');
  const files = ['tsconfig.json', 'package.json', 'node_modules/typescript/package.json'];
  for (const folder of ['src', 'workers']) files.push(...listFiles(root, folder));
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}
