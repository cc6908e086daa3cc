import { camelCase } from './schema.ts';

const LENGTH_MAX = 64;

/** The name that a wrong one was probably meant to be, or null. */
export function suggestName(wrong: string, names: Iterable<string>): string | null {
  if (wrong.length > LENGTH_MAX) return null;
  const known = [...names];
  const plain = camelCase(wrong.toLowerCase());
  const same = known.find(
    (name) => name === plain || name.toLowerCase() === wrong.replaceAll('_', '').toLowerCase(),
  );
  if (same !== undefined) return same;
  const near = known
    .map((name) => ({ name, distance: editDistance(wrong, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 4)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name ?? null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
