import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SANDBOX = fileURLToPath(new URL('../../../workers/sandbox/', import.meta.url));

/** Where the table of the executed methods lies. */
export const METHODS_TABLE = join(SANDBOX, 'methods.ts');

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

/** The table of the executed methods, from the files in `workers/sandbox/methods`. Throws where a file lacks something, and says what. */
export function renderMethodsTable(): string {
  const files = listFiles();
  const table = (one: (file: MethodFile) => string) => files.map((file) => `  '${file.name}': ${one(file)},`);
  return [
    '// Made by `npm run docs` from the files in `methods/`; do not edit.',
    "import type { MethodName } from '../../src/tl/tl-json.ts';",
    "import type { Method } from '../driver.ts';",
    "import type { Example } from './examples/example.ts';",
    ...files.map(({ alias, path }) => `import * as ${alias} from './methods/${path}';`),
    '',
    '/** Every executed method under its name. */',
    'export const methods = {',
    ...table(({ alias, exported }) => `${alias}.${exported}`),
    '} satisfies { readonly [Name in MethodName]?: Method<Name> };',
    '',
    'export type ExecutedMethod = keyof typeof methods;',
    '',
    '/** An example of each. */',
    'export const examples: { readonly [Name in ExecutedMethod]: Example<Name> } = {',
    ...table(({ alias }) => `${alias}.example`),
    '};',
    '',
    '/** Where the sandbox knowingly differs from Telegram in what one method does. */',
    'export const differences: { readonly [Name in ExecutedMethod]?: string } = {',
    ...files
      .filter(({ hasDifference }) => hasDifference)
      .map(({ name, alias }) => `  '${name}': ${alias}.difference,`),
    '};',
    '',
  ].join('\n');
}

function listFiles(): MethodFile[] {
  const root = join(SANDBOX, 'methods');
  return readdirSync(root, { withFileTypes: true })
    .flatMap((folder) => readdirSync(join(root, folder.name)).map((file) => [folder.name, file] as const))
    .map(([namespace, file]) => readFile(join(root, namespace, file), namespace, file))
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
  const alias = `${namespace}${verb[0]?.toUpperCase()}${verb.slice(1)}`;
  return { path, name, alias, exported, hasDifference: text.includes('export const difference =') };
}
