import { fileURLToPath } from 'node:url';
import { generalDifferences } from '../../../workers/sandbox/differences.ts';
import { differences, methods } from '../../../workers/sandbox/methods.ts';

/** Where the API has the differences of single methods from. */
export const DIFFERENCES = fileURLToPath(
  new URL('../../../src/api/openapi/sandbox-differences.json', import.meta.url),
);

/** Where the documentation of the executed methods lies. */
export const METHODS_DOC = fileURLToPath(new URL('../../../docs/methods.md', import.meta.url));

/** The documentation of what the sandbox executes, from its method table, as Markdown. */
export function renderMethodsDoc(): string {
  return [
    '# Methods of the sandbox',
    '',
    '<!-- Made by `npm run docs` from the method table; do not edit. -->',
    '',
    `The sandbox executes ${Object.keys(methods).length} methods of the TL schema; the others answer 501 \`method_not_implemented\`.`,
    '`GET /v1/methods?executed=true` lists them. `/docs`, `GET /v1/methods/{name}` and `npx switchboard methods <name>` say for each what it does, its',
    'params, result and errors, and where it differs from Telegram. Where all differ:',
    '',
    ...generalDifferences.map((difference) => `- ${difference}`),
    '',
  ].join('\n');
}

/** The differences of single methods, as JSON. */
export function renderDifferences(): string {
  return `${JSON.stringify(differences, Object.keys(differences).toSorted(), 2)}\n`;
}
