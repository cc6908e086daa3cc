/** Returns a function that runs `act` at most once in `ms`; calls in between share its result. A failure is not cached. */
export function atMostEvery<T>(ms: number, act: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | null = null;
  let staleAt = 0;
  return () => {
    if (latest !== null && performance.now() < staleAt) return latest;
    staleAt = Number.POSITIVE_INFINITY;
    latest = act();
    latest.then(
      () => {
        staleAt = performance.now() + ms;
      },
      () => {
        staleAt = 0;
      },
    );
    return latest;
  };
}
