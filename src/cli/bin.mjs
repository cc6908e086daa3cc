#!/usr/bin/env node
// The command `switchboard`: from an installed package, and from a checkout, which is compiled first if that has to be done.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

if (existsSync(join(ROOT, 'tsconfig.json'))) {
  const { prepare } = await import('../launch/prepare.mjs');
  await prepare(ROOT);
}
// Not a literal: the compiler need not know what it has not made yet.
await import(pathToFileURL(join(ROOT, 'dist/src/cli/main.js')).href);
