const LENGTH_MAX = 64;

const ROWS: readonly [Uint8Array, Uint8Array] = [new Uint8Array(256), new Uint8Array(256)];

interface Folded {
  folded: string;
  letters: number;
}

const foldedLists = new WeakMap<readonly string[], readonly Folded[]>();

/**
 * The name that was probably meant by a wrong one, or null. `names` must be the same array on each call: work on it is cached. Up to a
 * quarter of a name may be wrong, and `max` letters.
 */
export function suggestName(
  wrong: string,
  names: readonly string[],
  max = Number.POSITIVE_INFINITY,
): string | null {
  if (wrong.length > LENGTH_MAX) return null;
  const plain = fold(wrong);
  const given = lettersOf(plain);
  let best: string | null = null;
  let closest = Number.POSITIVE_INFINITY;
  for (const [index, { folded, letters }] of foldAll(names).entries()) {
    const limit = Math.min(Math.max(1, Math.floor(folded.length / 4)), max, closest - 1);
    // An edit removes at most one letter and adds at most one.
    if (countBits(given ^ letters) > 2 * limit) continue;
    const distance = editDistance(plain, folded, limit);
    if (distance <= limit) {
      best = names[index] as string;
      closest = distance;
    }
  }
  return best;
}

function foldAll(names: readonly string[]): readonly Folded[] {
  let folded = foldedLists.get(names);
  if (folded === undefined) {
    folded = names.map(fold).map((name) => ({ folded: name, letters: lettersOf(name) }));
    foldedLists.set(names, folded);
  }
  return folded;
}

// `sort_by_price`, `SortByPrice` and `sortByPrice` count as equal.
function fold(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
}

// A bit for each letter that a name has; digits share theirs with letters.
function lettersOf(folded: string): number {
  let letters = 0;
  for (let at = 0; at < folded.length; at += 1) letters |= 1 << (folded.charCodeAt(at) % 32);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

// Levenshtein's distance up to `limit`. The common prefix is skipped, and only a band around the table's diagonal is computed.
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let start = 0;
  while (start < one.length && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  const [rows, columns] = [one.length - start, other.length - start];
  let [row, next] = ROWS;
  for (let j = 0; j <= columns; j += 1) row[j] = j;
  for (let i = 1; i <= rows; i += 1) {
    const [first, last] = [Math.max(1, i - limit), Math.min(columns, i + limit)];
    next[first - 1] = first === 1 ? i : limit + 1;
    if (last < columns) next[last + 1] = limit + 1;
    let nearest = next[first - 1] as number;
    const letter = one.charCodeAt(start + i - 1);
    for (let j = first; j <= last; j += 1) {
      const change = (row[j - 1] as number) + (letter === other.charCodeAt(start + j - 1) ? 0 : 1);
      const distance = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      next[j] = distance;
      nearest = Math.min(nearest, distance);
    }
    if (nearest > limit) return limit + 1;
    [row, next] = [next, row];
  }
  return row[columns] as number;
}
