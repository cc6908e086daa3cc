import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig, SETTING_NAMES } from '../../src/config.ts';

const lines = readFileSync('.env.example', 'utf8').split('\n');
const settings = lines.flatMap((line) => {
  const [, name = '', value = ''] = line.match(/^#([A-Z_]+)=(.*)$/) ?? [];
  return name ? [{ name, value }] : [];
});

test('.env.example lists every setting once, and no other', () => {
  expect(settings.map(({ name }) => name).sort()).toEqual([...SETTING_NAMES].sort());
});

test.each(settings)('.env.example gives $name its default', ({ name, value }) => {
  expect(readConfig({ [name]: value })).toEqual(readConfig({}));
});

test('.env.example says of every setting what it is for', () => {
  settings.forEach(({ name }) => {
    const index = lines.findIndex((line) => line.startsWith(`#${name}=`));
    const above = lines.slice(0, index).reverse();
    expect(above.find((line) => !line.startsWith('#') || line.startsWith('# '))).toMatch(/^# /);
  });
});
