import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getSchema } from '../../../src/tl/schema.ts';
import { updateKind } from '../../../src/tl/tl-json.ts';

const SANDBOX = fileURLToPath(new URL('../../../workers/sandbox/', import.meta.url));

/** Where the kinds lie that the API's documentation lists. */
export const EMITTED_KINDS = fileURLToPath(
  new URL('../../../src/api/updates/emitted-kinds.json', import.meta.url),
);

// It is kept for workers of an earlier release, and sent to nobody.
const NOT_EMITTED = 'updatePtsChanged';

/** The kinds of updates that the sources of the sandbox name. */
export function listEmittedKinds(): string[] {
  const named = new Set<string>();
  for (const file of readdirSync(SANDBOX, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(SANDBOX, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/'(update[A-Z]\w*)'/g)) named.add(name);
  }
  return (getSchema().types.get('Update') ?? [])
    .filter(({ name }) => named.has(name) && name !== NOT_EMITTED)
    .map(({ name }) => updateKind({ _: name }))
    .toSorted();
}

/** Kinds as JSON. */
export function writeKinds(kinds: string[]): string {
  return `${JSON.stringify(kinds, null, 2)}\n`;
}
