import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listMethods, type TlMethod } from '../../../src/tl/methods.ts';
import { generalDifferences } from '../../../workers/sandbox/differences.ts';
import { differences, methods } from '../../../workers/sandbox/methods.ts';

const SANDBOX = fileURLToPath(new URL('../../../workers/sandbox/', import.meta.url));

const OF_EXAMPLES = ['examples', 'seed', 'reset'];

/** Where the documentation of the executed methods lies. */
export const METHODS_DOC = fileURLToPath(new URL('../../../docs/methods.md', import.meta.url));

/** The documentation of what the sandbox executes, from its method table and sources, as Markdown. */
export function renderMethodsDoc(): string {
  const executed = listMethods().filter(({ name }) => Object.hasOwn(methods, name));
  const namespaces = groupByNamespace(executed);
  return [
    '# Methods of the sandbox',
    '',
    '<!-- Made by `npm run docs` from the method table; do not edit. -->',
    '',
    `The sandbox executes ${executed.length} methods of the TL schema; the others answer 501 \`method_not_implemented\`.`,
    'The errors are those that are known of the method and the sandbox raises; malformed params are refused before.',
    '',
    '## Where it differs from Telegram',
    '',
    ...generalDifferences.map((difference) => `- ${difference}`),
    ...namespaces.flatMap(([namespace, all]) => ['', `## ${namespace}`, ...all.flatMap(describe)]),
    '',
  ].join('\n');
}

function namespaceOf({ name }: TlMethod): string {
  return name.slice(0, name.indexOf('.'));
}

function groupByNamespace(all: TlMethod[]): [string, TlMethod[]][] {
  const groups = new Map<string, TlMethod[]>();
  for (const method of all) {
    const namespace = namespaceOf(method);
    groups.set(namespace, [...(groups.get(namespace) ?? []), method]);
  }
  return [...groups];
}

function describe(method: TlMethod): string[] {
  const errors = raisedErrors(method);
  const difference = differences[method.name as keyof typeof differences];
  return [
    '',
    `### ${method.name}`,
    '',
    ...(method.purpose === '' ? [] : [method.purpose, '']),
    `- Errors: ${errors.length === 0 ? 'none' : errors.map((name) => `\`${name}\``).join(', ')}`,
    ...(difference === undefined ? [] : [`- Differs: ${difference}`]),
  ];
}

// Of the errors the schema lists, those whose names stand in the method's file or in what that imports.
function raisedErrors({ name, throws }: TlMethod): string[] {
  const [namespace, verb = ''] = name.split('.');
  const file = `${SANDBOX}methods/${namespace}/${verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  const named = namesIn(file, new Set());
  return throws
    .map((error) => error.name)
    .filter((error) => named.has(error))
    .toSorted();
}

function namesIn(file: string, seen: Set<string>): Set<string> {
  // Examples raise none of what their methods do, and neither does what removes things.
  const isOfExamples = OF_EXAMPLES.some((folder) => file.startsWith(`${SANDBOX}${folder}/`));
  if (seen.has(file) || isOfExamples || !file.startsWith(SANDBOX) || !existsSync(file)) return new Set();
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const names = new Set([...text.matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(([, found]) => found as string));
  for (const [, path] of text.matchAll(/from '(\.[^']+)'/g))
    for (const found of namesIn(resolve(dirname(file), path as string), seen)) names.add(found);
  return names;
}
