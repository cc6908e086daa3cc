import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const SOURCES = 'src/docs-page';
const PACKED = 'dist/docs-page';

/**
 * Removes what was compiled and packed before, so that nothing stays of a file that is gone.
 * @param {string} root
 */
export function clearDocs(root) {
  rmSync(join(root, PACKED), { recursive: true, force: true });
}

/**
 * Adds style and icon to the compiled scripts of the documentation page, and each file compressed.
 * @param {string} root
 */
export function packDocs(root) {
  if (!existsSync(join(root, SOURCES))) return;
  for (const file of readdirSync(join(root, SOURCES)))
    if (/\.(css|svg)$/.test(file)) copyFileSync(join(root, SOURCES, file), join(root, PACKED, file));
  for (const file of readdirSync(join(root, PACKED))) {
    if (!/\.(css|svg|js)$/.test(file)) continue;
    const path = join(root, PACKED, file);
    const body = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(body));
    writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packDocs(resolve('.'));
