import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMPORT =
  /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Which packages and which other parts each part may import, types aside. A part is a folder, or the files at its top. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  src: ['zod', 'pino', 'pino-pretty', 'src/tl'],
  'src/tl': ['src', '@mtcute/core'],
  'src/redis': ['ioredis', 'src'],
  'src/metrics': ['prom-client', 'src', 'src/redis'],
  'src/tracing': [
    'src',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
  ],
  'src/fleet': ['src', 'src/redis'],
  'src/directory': ['src', 'src/redis', 'src/tl'],
  'src/control': ['src', 'src/redis'],
  'src/bytes': ['src', 'src/redis'],
  'src/ledger': ['src', 'src/redis', 'src/bytes', 'src/directory'],
  'src/state': ['src', 'src/redis', 'src/bytes', 'src/ledger', 'src/tl', 'msgpackr'],
  'src/async-calls': ['src', 'src/redis', 'src/bytes', 'src/directory', 'src/ledger', 'src/state'],
  'src/queue': [
    'bullmq',
    'src',
    'src/redis',
    'src/async-calls',
    'src/directory',
    'src/fleet',
    'src/ledger',
    'src/state',
    'src/tracing',
  ],
  'src/updates': ['src', 'src/redis'],
  'src/webhooks': ['ipaddr.js', 'src', 'src/bytes', 'src/queue', 'src/redis', 'src/directory'],
  'src/api': ['fastify', 'fastify-type-provider-zod', '@fastify/swagger', 'prom-client', 'zod'].concat([
    'src',
    'src/queue',
    'src/redis',
    'src/async-calls',
    'src/bytes',
    'src/control',
    'src/directory',
    'src/fleet',
    'src/ledger',
    'src/metrics',
    'src/state',
    'src/tl',
    'src/tracing',
    'src/updates',
    'src/webhooks',
  ]),
  // They run in browsers too.
  'src/client': [],
  'src/pages': [],
  'src/cli': ['commander', 'cli-table3', 'src', 'src/client', 'src/directory', 'src/launch', 'src/redis'],
  'src/launch': ['esbuild', 'src', 'src/api', 'src/metrics', 'src/redis', 'src/directory', 'tsx', 'zod'],
  workers: [
    'prom-client',
    'src',
    'src/queue',
    'src/redis',
    'src/async-calls',
    'src/bytes',
    'src/control',
    'src/directory',
    'src/fleet',
    'src/metrics',
    'src/ledger',
    'src/state',
    'src/tl',
    'src/tracing',
    'src/updates',
    'src/webhooks',
    'workers/async-calls',
    'workers/delivery',
    'workers/deletion',
    'workers/executor',
    'workers/sandbox',
    'workers/turns',
  ],
  'workers/async-calls': [
    'prom-client',
    'workers',
    'src',
    'src/async-calls',
    'src/bytes',
    'src/control',
    'src/directory',
    'src/ledger',
    'src/metrics',
    'src/queue',
    'src/redis',
    'src/state',
    'src/tracing',
    'workers/executor',
    'workers/sandbox',
  ],
  'workers/turns': ['src'],
  'workers/executor': [
    'workers',
    'workers/turns',
    'src',
    'src/queue',
    'src/redis',
    'src/ledger',
    'src/state',
    'src/tl',
    'src/tracing',
  ],
  'workers/deletion': ['src', 'src/redis', 'src/async-calls', 'src/control', 'src/directory'].concat([
    'src/state',
    'src/webhooks',
  ]),
  'workers/delivery': [
    'prom-client',
    'request-filtering-agent',
    'src',
    'src/bytes',
    'src/metrics',
    'src/queue',
    'src/redis',
    'src/directory',
    'src/tracing',
    'src/updates',
    'src/webhooks',
    'workers/turns',
  ],
  'workers/sandbox': [
    'workers',
    'workers/turns',
    'src',
    'src/state',
    'src/tl',
    'marked',
    'htmlparser2',
    'zod',
  ],
};

/** Packages that one file or folder alone may know. */
const OWNERS: Record<string, string> = {
  ioredis: 'src/redis',
  bullmq: 'src/queue',
  fastify: 'src/api',
  msgpackr: 'src/state',
  pino: 'src/logger.ts',
  'pino-pretty': 'src/logger.ts',
  commander: 'src/cli',
  'cli-table3': 'src/cli/terminal',
  '@opentelemetry/api': 'src/tracing',
  '@opentelemetry/sdk-trace-base': 'src/tracing',
};

// A folder with more files than that says little of what is in it.
const FILES_MAX = 25;

/** Folders that may have more: a TL method has a file of its own in the folder of its namespace. */
const LARGE_FOLDERS = ['workers/sandbox/methods/messages'];

interface Import {
  file: string;
  /** The file that is imported; null for a package. */
  target: string | null;
  from: string;
  to: string;
  isType: boolean;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function partOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  return folder.includes('.') ? top : `${top}/${folder}`;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].flatMap(([, type, named, dynamic]): Import[] => {
    const target = named ?? dynamic ?? '';
    if (target.startsWith('node:')) return [];
    const imported = target.startsWith('.') ? join(dirname(file), target) : null;
    const to =
      imported !== null
        ? partOf(imported)
        : target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/');
    return [{ file, target: imported, from: partOf(file), to, isType: type !== undefined }];
  });
}

const files = [...filesBelow('src'), ...filesBelow('workers')];
const imports = files.flatMap(importsOf);

/** The files that can reach themselves by imports, in groups that reach each other (strongly connected components, after Tarjan). */
function findCircles(): string[][] {
  const targets = new Map(files.map((file): [string, string[]] => [file, []]));
  for (const { file, target } of imports) if (target !== null) targets.get(file)?.push(target);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    path.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!targets.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (path.includes(target))
        lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(target) as number));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  }
  for (const file of files) if (!order.has(file)) visit(file);
  return circles.sort();
}

describe('layers', () => {
  it('finds the imports there are', () => {
    expect(imports.length).toBeGreaterThan(500);
    expect(new Set(imports.map(({ from }) => from))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  it('each part imports only what it may', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) => to !== from && !isType && !(MAY_IMPORT[from] ?? []).includes(to),
    );
    expect(wrong.map(({ file, to }) => `${file} -> ${to}`)).toEqual([]);
  });

  it('src knows nothing of workers, and workers nothing of the API tier, not even types', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (from.startsWith('src') && to.startsWith('workers')) ||
        (from.startsWith('workers') && (to === 'src/api' || to === 'src/launch')),
    );
    expect(wrong.map(({ file, to }) => `${file} -> ${to}`)).toEqual([]);
  });

  it("zod is imported as a namespace: only so does a worker's bundle leave its translations out", () => {
    const importers = imports.filter(({ to }) => to === 'zod').map(({ file }) => file);
    expect(importers.length).toBeGreaterThan(10);
    const asNamespace = /^import (type )?\* as z from 'zod';$/m;
    const wrong = importers.filter((file) => !asNamespace.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(wrong).toEqual([]);
  });

  it('each library has one owner', () => {
    const wrong = imports.filter(
      ({ file, to, isType }) => !isType && OWNERS[to] !== undefined && !file.startsWith(OWNERS[to] as string),
    );
    expect(wrong.map(({ file, to }) => `${file} -> ${to}`)).toEqual([]);
  });

  it('no file imports itself by way of others, not even for types', () => {
    expect(findCircles()).toEqual([]);
  });

  it(`no folder has more than ${FILES_MAX} files, but those that must`, () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const large = [...counts].filter(([, count]) => count > FILES_MAX).map(([folder]) => folder);
    expect(large.sort()).toEqual(LARGE_FOLDERS);
  });
});
