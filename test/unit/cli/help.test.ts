import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { makeProgram } from '../../../src/cli/program.ts';
import { ID_PREFIXES } from '../../../src/ids.ts';

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help + command.commands.map(helpOf).join('');
}

it('the ids in examples are of kinds that there are', () => {
  const prefixes = [...helpOf(makeProgram()).matchAll(/\b([a-z]+)_…/g)].map(([, prefix]) => prefix);
  expect(prefixes).toContain('wh');
  const known: string[] = Object.values(ID_PREFIXES);
  expect(prefixes.filter((prefix) => !known.includes(String(prefix)))).toEqual([]);
});

it('no command says that it has the options of the one above it', () => {
  const calls = makeProgram().commands.find((command) => command.name() === 'calls');
  const replay = calls?.commands.find((command) => command.name() === 'replay');
  const help = helpOf(replay as Command);
  expect(help).toContain('--url');
  expect(help.match(/--status/g)).toHaveLength(1);
  expect(help).not.toContain('--since');
});
