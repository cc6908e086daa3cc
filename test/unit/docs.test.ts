import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, pagePaths } from '../support/docs/pages.ts';

const pages = new Map(pagePaths().map((path) => [path, readFileSync(path, 'utf8')]));
const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.ts'),
);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutBlocks(page).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function withoutBlocks(page: string): string {
  return page.replaceAll(/^```.*?^```/gms, '');
}

describe.each([...pages])('%s', (path, page) => {
  it('runs npm scripts and tests that exist', () => {
    const named = [...page.matchAll(/\bnpm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const chosen = [...page.matchAll(/\bnpm test -- (?:--project )?([\w/ -]+)/g)];
    const words = chosen.flatMap(([, text = '']) => text.trim().split(/ +/));
    expect(words.filter((word) => !tests.some((test) => test.includes(word)))).toEqual([]);
  });

  it('links to what there is', () => {
    const links = [...withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names files that exist', () => {
    const named = [...page.matchAll(/`((?:src|workers|test|docs)\/[\w./-]+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !existsSync(name) && !existsSync(`${name}.ts`))).toEqual([]);
  });
});

it('README.md stays short, and shows the example that is run', () => {
  expect(pages.get('README.md')?.split('\n').length).toBeLessThan(150);
  expect(blocksOf('README.md', 'js')).toEqual([readFileSync('docs/examples/hello.mjs', 'utf8')]);
});
