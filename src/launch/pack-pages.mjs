import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const SOURCES = 'src/pages';
const PACKED = 'dist/pages';

/**
 * Removes what was compiled and packed before, so that nothing stays of a file that is gone.
 * @param {string} root
 */
export function clearPages(root) {
  rmSync(join(root, PACKED), { recursive: true, force: true });
}

/**
 * Adds styles and icon to the compiled scripts of the pages, and each file compressed.
 * @param {string} root
 */
export function packPages(root) {
  if (!existsSync(join(root, SOURCES))) return;
  for (const file of listFiles(join(root, SOURCES)))
    if (/\.(css|svg)$/.test(file)) copyFileSync(join(root, SOURCES, file), join(root, PACKED, file));
  for (const file of listFiles(join(root, PACKED))) {
    if (!/\.(css|svg|js)$/.test(file)) continue;
    const path = join(root, PACKED, file);
    const body = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(body));
    writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
  }
}

/**
 * The files below a folder, as paths within it.
 * @param {string} folder
 */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packPages(resolve('.'));
