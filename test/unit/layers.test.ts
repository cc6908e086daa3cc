import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMPORT =
  /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Which packages and which other parts each part may import, types aside. A part is a folder, or the files at its top. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  src: ['zod', 'pino', 'src/tl'],
  'src/tl': ['src', '@mtcute/core'],
  'src/redis': ['ioredis', 'src'],
  'src/directory': ['src', 'src/redis', 'src/tl'],
  'src/state': ['src', 'src/redis', 'src/tl', 'msgpackr'],
  'src/ledger': ['src', 'src/redis', 'src/directory', 'src/state'],
  'src/async-calls': ['src', 'src/redis', 'src/directory', 'src/state', 'src/ledger'],
  'src/queue': ['bullmq', 'src', 'src/redis', 'src/async-calls', 'src/directory', 'src/ledger', 'src/state'],
  'src/updates': ['src', 'src/redis'],
  'src/webhooks': ['ipaddr.js', 'src', 'src/redis', 'src/directory'],
  'src/api': ['fastify', 'fastify-type-provider-zod', '@fastify/swagger', 'prom-client', 'zod'].concat([
    'src',
    'src/queue',
    'src/redis',
    'src/async-calls',
    'src/directory',
    'src/ledger',
    'src/state',
    'src/tl',
    'src/updates',
    'src/webhooks',
  ]),
  'src/launch': ['src', 'src/redis', 'src/directory', 'tsx', 'zod'],
  workers: [
    'prom-client',
    'src',
    'src/queue',
    'src/redis',
    'src/async-calls',
    'src/directory',
    'src/ledger',
    'src/state',
    'src/tl',
    'src/updates',
    'src/webhooks',
    'workers/delivery',
    'workers/deletion',
    'workers/sandbox',
  ],
  'workers/deletion': ['src', 'src/redis', 'src/async-calls', 'src/directory', 'src/state', 'src/webhooks'],
  'workers/delivery': [
    'prom-client',
    'request-filtering-agent',
    'src',
    'src/queue',
    'src/redis',
    'src/directory',
    'src/updates',
    'src/webhooks',
  ],
  'workers/sandbox': [
    'workers',
    'src',
    'src/state',
    'src/tl',
    'marked',
    'htmlparser2',
    '@simplewebauthn/server',
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
};

interface Import {
  file: string;
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
    const to = target.startsWith('.')
      ? partOf(relative(ROOT, join(ROOT, dirname(file), target)))
      : target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/');
    return [{ file, from: partOf(file), to, isType: type !== undefined }];
  });
}

const imports = [...filesBelow('src'), ...filesBelow('workers')].flatMap(importsOf);

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

  it('each library has one owner', () => {
    const wrong = imports.filter(
      ({ file, to, isType }) => !isType && OWNERS[to] !== undefined && !file.startsWith(OWNERS[to] as string),
    );
    expect(wrong.map(({ file, to }) => `${file} -> ${to}`)).toEqual([]);
  });
});
