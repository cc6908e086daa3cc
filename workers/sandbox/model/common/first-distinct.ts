/**
 * The first `max` different numbers, in order. A set of all that a caller names would not do: the engine hashes numbers in a way that
 * everybody knows, so a caller can name thousands that share a place in the set, and each would be compared with all before it.
 */
export function firstDistinct(given: readonly number[], max: number): number[] {
  const found = new Set<number>();
  for (const one of given) {
    if (found.size >= max) break;
    found.add(one);
  }
  return [...found];
}
