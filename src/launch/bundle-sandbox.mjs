import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'dist/workers/sandbox';

// What others import of it.
const ENTRIES = ['methods.js', 'sandbox-driver.js'];

// Loaded by a thread, which has need of nothing else, and by others when they first need it.
const APART = ['model/text/rich/parse-thread.js', 'model/text/rich/read-markup.js'];

/**
 * Puts the compiled files of the sandbox, some hundreds, into one that its entries import: to load each by itself is most of what the start
 * of a worker costs. Modules outside of it stay what they are.
 * @param {string} root
 */
export async function bundleSandbox(root) {
  const folder = resolve(root, FOLDER);
  const entryPoints = ENTRIES.map((file) => join(folder, file));
  if (!entryPoints.every((file) => existsSync(file))) return;
  const apart = new Set(APART.map((file) => join(folder, file)));
  const { build } = await import('esbuild');
  await build({
    entryPoints,
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: 'bundle',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    sourcemap: true,
    logLevel: 'error',
    plugins: [
      {
        name: 'outside',
        setup(setup) {
          setup.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
            const file = resolve(resolveDir, path);
            if (kind === 'entry-point' || (file.startsWith(folder + sep) && !apart.has(file)))
              return undefined;
            return { path: `./${relative(folder, file).split(sep).join('/')}`, external: true };
          });
        },
      },
    ],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleSandbox('.');
