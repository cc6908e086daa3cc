import { getSchema, type SchemaEntry } from './schema.ts';

let mentionedTypes: ReadonlySet<string> | undefined;

/** Whether a constructor can occur in the params of a method, at any depth. */
export function isUsedInParams(name: string): boolean {
  mentionedTypes ??= findMentionedTypes();
  return mentionedTypes.has(name);
}

function findMentionedTypes(): ReadonlySet<string> {
  const { methods, types } = getSchema();
  const found = new Set<string>();
  const open: SchemaEntry[] = [...methods.values()];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    for (const { type } of entry.arguments) {
      for (const candidate of types.get(type) ?? []) {
        if (found.has(candidate.name)) continue;
        found.add(candidate.name);
        open.push(candidate);
      }
    }
  }
  return found;
}
