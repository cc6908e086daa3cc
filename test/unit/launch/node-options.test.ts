import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serviceNodeArgs } from '../../support/service/node-args.ts';

const OPTION = /--[a-z\d-]+=\d+/g;

// How many lines start a process, by file.
it.each([
  ['package.json', 3],
  ['docker-compose.yml', 2],
  ['docs/deploy/README.md', 2],
  ['docs/deploy/kubernetes/api.yaml', 1],
  ['docs/deploy/kubernetes/workers.yaml', 1],
  ['src/cli/commands/service.ts', 1],
])('%s gives each process the options of npm start', (file, count) => {
  const options = serviceNodeArgs();
  const lines = readFileSync(file, 'utf8').split('\n');
  const given = lines.map((line): string[] => line.match(OPTION) ?? []);
  const starting = given.filter((found) => options.some((option) => found.includes(option)));

  expect(options).not.toEqual([]);
  expect(starting).toEqual(Array.from({ length: count }, () => options));
});
