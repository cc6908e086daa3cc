import { fileURLToPath } from 'node:url';
import { messengerProblem } from '../../../src/messenger-problem.ts';
import { PROBLEMS } from '../../../src/problem-table.ts';
import { listMethods, type TlMethod } from '../../../src/tl/methods.ts';

const LINE_MAX = 110;
// A number that no error has in its name.
const NUMBER = '90417';
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template type
const NUMBER_TYPE = '${number}';

/** Where the types of the client's methods lie. */
export const METHODS_TYPES = fileURLToPath(new URL('../../../src/client/methods.ts', import.meta.url));

/** The client's methods by namespace, each with its purpose and the codes of the errors that the schema lists for it. */
export function renderMethodsTypes(): string {
  const namespaces = new Map<string, TlMethod[]>();
  for (const method of listMethods()) {
    const namespace = method.name.split('.')[0] as string;
    namespaces.set(namespace, [...(namespaces.get(namespace) ?? []), method]);
  }
  return [
    '// Made by `npm run docs` from the TL schema; do not edit.',
    '',
    '/** The code of an error of Switchboard itself. */',
    'export type ProblemCode =',
    ...Object.keys(PROBLEMS)
      .sort()
      .map((code, at, all) => `  | '${code}'${at === all.length - 1 ? ';' : ''}`),
    '',
    '/** Every method by namespace, with the codes of the errors that the schema lists for it. */',
    'export interface MethodErrors {',
    ...[...namespaces].flatMap(([namespace, methods]) => [
      `  ${namespace}: {`,
      ...methods.flatMap(renderMethod),
      '  };',
    ]),
    '}',
    '',
  ].join('\n');
}

function renderMethod(method: TlMethod): string[] {
  const { name, purpose } = method;
  const doc = purpose === '' ? [] : [`    /** ${purpose.replaceAll('*/', '* /')} */`];
  const member = `    ${name.slice(name.indexOf('.') + 1)}:`;
  const codes = codesOf(method);
  const line = `${member} ${codes.length === 0 ? 'never' : codes.join(' | ')};`;
  if (line.length <= LINE_MAX || codes.length < 2) return [...doc, line];
  return [...doc, member, ...codes.map((code, at) => `      | ${code}${at === codes.length - 1 ? ';' : ''}`)];
}

function codesOf({ name: method, throws }: TlMethod): string[] {
  const codes = throws.map(({ name }) => messengerProblem(name.replace('%d', NUMBER), method).code);
  return [...new Set(codes)]
    .filter((code) => !(code in PROBLEMS))
    .sort()
    .map((code) => (code.includes(NUMBER) ? `\`${code.replace(NUMBER, NUMBER_TYPE)}\`` : `'${code}'`));
}
