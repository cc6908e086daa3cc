const LENGTH_MAX = 64;

/** The name that a wrong one was probably meant to be, or null. */
export function suggestName(wrong: string, names: readonly string[]): string | null {
  if (wrong.length > LENGTH_MAX) return null;
  const plain = fold(wrong);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const folded = fold(name);
    const limit = Math.max(1, Math.floor(folded.length / 4));
    if (Math.abs(folded.length - plain.length) > limit) continue;
    const distance = editDistance(plain, folded);
    if (distance <= limit && distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

// `sort_by_price`, `SortByPrice` and `sortByPrice` are one word to a reader.
function fold(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
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
