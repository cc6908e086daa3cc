import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SANDBOX = fileURLToPath(new URL('../../../workers/sandbox/', import.meta.url));
const METHODS = join(SANDBOX, 'methods');

interface MethodFile {
  path: string;
  /** The method's full name. */
  name: string;
  /** By what name its file is imported. */
  alias: string;
  /** By what name the file exports the method. */
  exported: string;
  hasDifference: boolean;
}

/**
 * The tables of the executed methods, by where they lie: one for each namespace, from the files in `workers/sandbox/methods`, and one of all.
 * Throws where a file lacks something, and says what.
 */
export function renderMethodsTables(): Map<string, string> {
  const namespaces = readdirSync(METHODS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  return new Map([
    [join(SANDBOX, 'methods.ts'), renderAll(namespaces)],
    ...namespaces.map((name): [string, string] => [join(METHODS, `${name}.ts`), renderNamespace(name)]),
  ]);
}

const HEAD = '// Made by `npm run docs` from the files in `methods/`; do not edit.';

function renderAll(namespaces: string[]): string {
  const table = (of: string) => namespaces.map((name) => `  ...${name}.${of},`);
  return [
    HEAD,
    "import type { MethodName } from '../../src/tl/tl-json.ts';",
    "import type { Method } from '../driver.ts';",
    "import type { Example } from './examples/example.ts';",
    ...namespaces.map((name) => `import * as ${name} from './methods/${name}.ts';`),
    '',
    '/** Every executed method under its name. */',
    'export const methods = {',
    ...table('methods'),
    '} satisfies { readonly [Name in MethodName]?: Method<Name> };',
    '',
    'export type ExecutedMethod = keyof typeof methods;',
    '',
    '/** An example of each. */',
    'export const examples: { readonly [Name in ExecutedMethod]: Example<Name> } = {',
    ...table('examples'),
    '};',
    '',
    '/** Where the sandbox knowingly differs from Telegram in what one method does. */',
    'export const differences: { readonly [Name in ExecutedMethod]?: string } = {',
    ...table('differences'),
    '};',
    '',
  ].join('\n');
}

function renderNamespace(namespace: string): string {
  const files = listFiles(namespace);
  const different = files.filter(({ hasDifference }) => hasDifference);
  const table = (one: (file: MethodFile) => string, of = files) =>
    of.map((file) => `  '${file.name}': ${one(file)},`);
  return [
    HEAD,
    ...files.map(({ alias, path }) => `import * as ${alias} from './${path}';`),
    '',
    'export const methods = {',
    ...table(({ alias, exported }) => `${alias}.${exported}`),
    '};',
    '',
    'export const examples = {',
    ...table(({ alias }) => `${alias}.example`),
    '};',
    '',
    ...(different.length === 0
      ? ['export const differences = {};']
      : ['export const differences = {', ...table(({ alias }) => `${alias}.difference`, different), '};']),
    '',
  ].join('\n');
}

function listFiles(namespace: string): MethodFile[] {
  const folder = join(METHODS, namespace);
  return readdirSync(folder)
    .map((file) => readFile(join(folder, file), namespace, file))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readFile(file: string, namespace: string, base: string): MethodFile {
  const path = `${namespace}/${base}`;
  const verb = base.replace(/\.ts$/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const name = `${namespace}.${verb}`;
  const text = readFileSync(file, 'utf8');
  const [, exported] =
    new RegExp(`^export const (\\w+) = defineMethod\\(\\s*'${name}'`, 'm').exec(text) ?? [];
  if (exported === undefined) throw new Error(`methods/${path} has to export defineMethod('${name}', …)`);
  if (!text.includes(`export const example: Example<'${name}'> =`))
    throw new Error(
      `methods/${path} has to export an example: Example<'${name}'>, \`() => null\` if there is none`,
    );
  return { path, name, alias: verb, exported, hasDifference: text.includes('export const difference =') };
}
