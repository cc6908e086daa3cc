import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  version?: string;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>;
};
const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));

// npm leaves those out that its registry cannot give it, and then refuses its own lock file: no fresh clone would start.
test('package-lock.json has the packages of every platform, so that `npm ci` takes it', () => {
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  );
  expect(missing).toEqual([]);
});

test('package-lock.json states a version for every package', () => {
  const { '': _, ...installed } = packages;
  expect(Object.entries(installed).filter(([, { version }]) => !version)).toEqual([]);
});
