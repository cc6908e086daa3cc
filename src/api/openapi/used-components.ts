const PREFIX = '#/components/schemas/';

/** The schemas that `root` refers to, directly or through other schemas. */
export function usedComponents<T>(root: unknown, schemas: Record<string, T>): Record<string, T> {
  const used = new Map<string, T>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    open.push(...Object.values(value));
    const reference = '$ref' in value && typeof value.$ref === 'string' ? value.$ref : '';
    const name = reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : '';
    if (name === '' || used.has(name) || !Object.hasOwn(schemas, name)) continue;
    used.set(name, schemas[name] as T);
    open.push(schemas[name]);
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
