import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { arePackagesInstalled } from '../../../src/launch/install-packages.mjs';

const LOCK = {
  '': { name: 'switchboard' },
  'node_modules/fastify': { integrity: 'sha512-a' },
  'node_modules/vitest': { integrity: 'sha512-b', dev: true },
  'node_modules/@esbuild/aix-ppc64': { integrity: 'sha512-c', optional: true },
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchboard-install-'));
  write('package-lock.json', LOCK);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, packages: object): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify({ packages }));
}

function installed(packages: object, withoutDev = false): boolean {
  write('node_modules/.package-lock.json', packages);
  return arePackagesInstalled(root, { withoutDev });
}

test('nothing is installed on a fresh clone, or after an installation that was cut off', () => {
  expect(arePackagesInstalled(root, { withoutDev: false })).toBe(false);
});

test('all that this platform needs is enough', () => {
  expect(installed({ 'node_modules/fastify': LOCK['node_modules/fastify'] })).toBe(false);
  const { 'node_modules/@esbuild/aix-ppc64': _, ...ofThisPlatform } = LOCK;
  expect(installed(ofThisPlatform)).toBe(true);
});

test('another version is not what package-lock.json asks for', () => {
  expect(installed({ ...LOCK, 'node_modules/fastify': { integrity: 'sha512-old' } })).toBe(false);
});

test('production does without development packages', () => {
  const production = { 'node_modules/fastify': LOCK['node_modules/fastify'] };
  expect(installed(production, true)).toBe(true);
  expect(installed(production, false)).toBe(false);
});
