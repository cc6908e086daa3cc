import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'dist/workers';

// What processes run, and what preloads of tests and of the bench change in them.
const ENTRIES = {
  main: 'workers/main.js',
  'lone-main': 'workers/async-calls/lone-main.js',
  methods: 'workers/sandbox/methods.js',
  'commit-script': 'src/state/commit-script.js',
};

// Threads run these files, and have no need of the others.
const APART = ['src/guard-event-loop.js', 'workers/sandbox/model/text/rich/parse-thread.js'];

// Packages that are seldom needed and then loaded, and one that loads machine code from its folder.
const PACKAGES_APART = ['@opentelemetry', 'htmlparser2', 'marked', 'msgpackr', 'pino-pretty'];

const CHUNK = 'chunk-';
const LICENCES = 'licences.txt';

// Packages in CommonJS require Node's own modules.
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`;

/**
 * Puts the compiled files of a worker and its packages, more than a thousand, into one that its entries import: to load each by itself is a
 * third of what the start of a worker costs. Writes the licences of the packages beside it.
 * @param {string} root
 */
export async function bundleWorker(root) {
  const dist = resolve(root, 'dist');
  const folder = resolve(root, FOLDER);
  const entries = Object.entries(ENTRIES).filter(([, file]) => existsSync(join(dist, file)));
  if (entries.length === 0) return;
  const apart = new Set(APART.map((file) => join(dist, file)));
  const { build, stop } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: resolve(root),
    entryPoints: entries.map(([out, file]) => ({ in: join(dist, file), out })),
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: `${CHUNK}[hash]`,
    format: 'esm',
    platform: 'node',
    banner: { js: REQUIRE },
    sourcemap: true,
    metafile: true,
    logLevel: 'error',
    plugins: [
      {
        name: 'apart',
        setup(setup) {
          setup.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
            const file = resolve(resolveDir, path);
            if (kind === 'entry-point' || !apart.has(file)) return undefined;
            return { path: `./${relative(folder, file).split(sep).join('/')}`, external: true };
          });
          setup.onResolve({ filter: /^[@a-z]/ }, ({ kind, path }) => {
            const isApart = PACKAGES_APART.some((name) => path === name || path.startsWith(`${name}/`));
            return kind !== 'entry-point' && isApart ? { path, external: true } : undefined;
          });
        },
      },
    ],
  });
  // Else its process would stay for as long as this one, which goes on as the service.
  await stop();
  const made = new Set(Object.keys(metafile.outputs).map((file) => basename(file)));
  for (const file of readdirSync(folder))
    if (file.startsWith(CHUNK) && !made.has(file)) rmSync(join(folder, file));
  writeFileSync(join(folder, LICENCES), licencesOf(root, Object.keys(metafile.inputs)));
}

/**
 * @param {string} root
 * @param {string[]} files
 */
function licencesOf(root, files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...folders]
    .sort()
    .map((folder) => {
      const path = join(root, folder);
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const texts = readdirSync(path).filter((file) => /^licen[cs]e/i.test(file));
      return [
        `${name} ${version} (${license})`,
        ...texts.map((file) => readFileSync(join(path, file), 'utf8').trim()),
      ].join('\n\n');
    })
    .join('\n\n---\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleWorker('.');
