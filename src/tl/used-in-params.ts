import { getSchema, type SchemaEntry } from './schema.ts';

let usedConstructors: ReadonlySet<string> | undefined;

/** Whether a constructor can occur in the params of a method, at any depth. */
export function isUsedInParams(name: string): boolean {
  usedConstructors ??= findUsedConstructors();
  return usedConstructors.has(name);
}

/** The names of the constructors of all types that params of methods have, and of the types of their own fields. */
function findUsedConstructors(): ReadonlySet<string> {
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
