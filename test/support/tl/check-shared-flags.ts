import { fieldsOf } from '../../../src/tl/field.ts';
import { getSchema } from '../../../src/tl/schema.ts';

/**
 * What is wrong with the optional fields of a TL object, and of those in it: in TL's binary form one bit says of several fields that they
 * are there, so that all of them are or none.
 */
export function checkSharedFlags(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.entries(value).flatMap(([name, member]) =>
    checkSharedFlags(member, `${path}/${name}`),
  );
  return [...checkOwn(value as Record<string, unknown>, path), ...within];
}

function checkOwn(value: Record<string, unknown>, path: string): string[] {
  const entry = getSchema().constructors.get(String(value._));
  if (entry === undefined) return [];
  const bits = entry.arguments
    .filter(({ type }) => type !== '#')
    .map(({ typeModifiers }) => typeModifiers?.predicate);
  const isThere = (name: string) => value[name] !== undefined && value[name] !== false;
  const first = new Map<string, string>();
  return fieldsOf(entry).flatMap(({ name }, i) => {
    const bit = bits[i];
    if (bit === undefined) return [];
    const other = first.get(bit) ?? name;
    first.set(bit, other);
    const isWrong = isThere(name) !== isThere(other);
    return isWrong ? [`${path}/${name} must be there if ${other} is, and only then`] : [];
  });
}
