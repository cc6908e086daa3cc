import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of all pages of documentation. */
export function pagePaths(): string[] {
  const names = readdirSync('docs', { recursive: true, encoding: 'utf8' });
  return ['README.md', ...names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))];
}

/** The fenced blocks of a page that are marked with a language. */
export function blocksOf(path: string, language: string): string[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^```(\w*)\n(.*?)^```/gms);
  return [...blocks].flatMap(([, name, code = '']) => (name === language ? [code] : []));
}
