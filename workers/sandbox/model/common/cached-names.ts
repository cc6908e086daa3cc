const KEPT_MAX = 20_000;

/**
 * Caches names that are made from an id. Otherwise V8 flattens a new concatenated string at its first look-up, which takes several times as
 * long as this cache.
 */
export function cacheNames<Id>(make: (id: Id) => string): (id: Id) => string {
  const names = new Map<Id, string>();
  return (id) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    if (names.size >= KEPT_MAX) names.clear();
    const name = make(id);
    names.set(id, name);
    return name;
  };
}

/** Caches names that are made from two ids. */
export function cachePairNames<First, Second>(
  make: (first: First, second: Second) => string,
): (first: First, second: Second) => string {
  const names = new Map<First, Map<Second, string>>();
  let kept = 0;
  return (first, second) => {
    const known = names.get(first)?.get(second);
    if (known !== undefined) return known;
    if (kept >= KEPT_MAX) {
      names.clear();
      kept = 0;
    }
    const ofFirst = names.get(first) ?? new Map<Second, string>();
    const name = make(first, second);
    names.set(first, ofFirst.set(second, name));
    kept += 1;
    return name;
  };
}
