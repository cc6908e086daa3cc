import { fileURLToPath } from 'node:url';
import { methods } from '../../../workers/sandbox/methods.ts';
import { Sandbox } from './sandbox.ts';

/** Where the examples of the API's documentation lie. */
export const EXAMPLE_PARAMS = fileURLToPath(
  new URL('../../../src/api/openapi/example-params.json', import.meta.url),
);

export type ExampleParams = Record<string, object | null>;

/** The params of an example call of each executed method, for a new account; null where there is none. */
export async function makeExampleParams(): Promise<ExampleParams> {
  const sandbox = await Sandbox.open();
  try {
    const account = await sandbox.anAccount();
    const names = Object.keys(methods).toSorted();
    const { examples } = await sandbox.order(account, 'getExamples', { methods: names });
    return Object.fromEntries(names.map((name) => [name, examples[name] ?? null]));
  } finally {
    await sandbox.close();
  }
}

/** Examples as JSON, a line for each method. */
export function writeExampleParams(examples: ExampleParams): string {
  const lines = Object.entries(examples).map(
    ([name, params]) => `  ${JSON.stringify(name)}: ${JSON.stringify(params)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** What examples have in common that were made for different accounts: members and types, not ids. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
