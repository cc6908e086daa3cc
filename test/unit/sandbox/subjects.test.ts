import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Forgetting } from '../../../workers/sandbox/model/common/forget.ts';
import { subjects } from '../../../workers/sandbox/reset/subjects.ts';

const MODEL = fileURLToPath(new URL('../../../workers/sandbox/model', import.meta.url));
const IMPORT = /^(?:import|export)\s[^;'"]*?from\s+'(\.[^']+)'/gm;
const FILES_MAX = 25;

/** The subjects of the model; each may import those before it. */
const ORDER = [
  'common',
  'people',
  'chats',
  'boxes',
  'peers',
  'privacy',
  'files',
  'text',
  'conversations',
  'bots',
  'reactions',
  'polls',
  'payments',
  'messages',
  'forums',
  'groups',
  'dialogs',
  'pins',
  'search',
  'scheduled',
  'gifts',
  'stories',
  'group-calls',
  'themes',
  'passkeys',
  'stats',
  'sponsored',
  'updates',
];

const files = readdirSync(MODEL, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(MODEL, join(entry.parentPath, entry.name)));

function subjectOf(file: string): string {
  return file.split('/')[0] as string;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(MODEL, file), 'utf8');
  return [...text.matchAll(IMPORT)]
    .map(([, path]) => join(dirname(file), path as string))
    .filter((to) => !to.startsWith('..'));
}

function findCircle(file: string, seen: Set<string>, path: string[] = []): string[] | null {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (seen.has(file)) return null;
  seen.add(file);
  for (const to of importsOf(file)) {
    const circle = findCircle(to, seen, [...path, file]);
    if (circle) return circle;
  }
  return null;
}

it('every file of the model is in the folder of a subject, and no folder is crowded', () => {
  expect([...new Set(files.map(subjectOf))].sort()).toEqual([...ORDER].sort());
  for (const folder of new Set(files.map(dirname))) {
    const direct = files.filter((file) => dirname(file) === folder);
    expect([folder, direct.length > FILES_MAX]).toEqual([folder, false]);
  }
});

it('each subject imports only those before it, types included', () => {
  const upwards = files.flatMap((file) =>
    importsOf(file)
      .filter((to) => ORDER.indexOf(subjectOf(to)) > ORDER.indexOf(subjectOf(file)))
      .map((to) => `${file} -> ${to}`),
  );
  expect(upwards).toEqual([]);
});

it('no file imports itself by way of others, types included', () => {
  const seen = new Set<string>();
  expect(files.map((file) => findCircle(file, seen)).filter((circle) => circle !== null)).toEqual([]);
});

it('a reset removes what each subject says is to be removed', async () => {
  const declared = files.filter((file) => basename(file) === 'forget.ts' && subjectOf(file) !== 'common');
  const all = await Promise.all(
    declared.map(async (file) => Object.values((await import(join(MODEL, file))) as object)),
  );
  const forgettings = all.flat().filter((value): value is Forgetting => typeof value === 'object');
  expect(new Set(subjects)).toEqual(new Set(forgettings));
});

it('every key function of one user is removed by a reset, or known to stay', async () => {
  const removed = new Set(subjects.flatMap(({ ownKeys }) => (ownKeys?.(7) ?? []).map(([name]) => name)));
  // Of parts of conversations and of uploads; gifts, contacts and themes are taken from their owner one by one; information for invoices
  // has a key for each day; the ids of messages stay taken.
  const otherwise =
    /^(history|pinned|callback|sent|mentions|poll-votes|threads|random|files|sizes|owned-gifts|gift-kinds|contacts|installed|themes|unlisted-themes|requested-info):/;
  const tables = files
    .filter((file) => basename(file) === 'keys.ts')
    .map((file) => readFileSync(join(MODEL, file), 'utf8'));
  const rows = tables.flatMap((text) => [...text.matchAll(/^ \* {3}([a-z-]+:(?:U|<box>))[ :]/gm)]);
  const names = rows.map(([, name]) => (name as string).replace('<box>', 'u7').replace('U', '7'));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !removed.has(name) && !otherwise.test(name))).toEqual([]);
});
