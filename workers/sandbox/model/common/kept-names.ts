const KEPT_MAX = 20_000;

/**
 * Keeps the names that are made of an id. V8 puts a name together anew when it is looked up for the first time, which takes several times
 * as long as finding it here.
 */
export function keepNames<Id>(make: (id: Id) => string): (id: Id) => string {
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

/** The same for names that are made of two. */
export function keepPairNames<First, Second>(
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
