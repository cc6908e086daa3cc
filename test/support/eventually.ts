/** How much longer than asked for a pause counts at most. */
const LATE_MS = 100;

/**
 * Waits until `look` gives something other than undefined, null or false; what it throws ends the wait.
 * Hardly any of the time passes while the test's own process stands still: only later looks see what came in.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { timeoutMs = 15_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, undefined | null | false>> {
  let leftMs = timeoutMs;
  for (;;) {
    const isLast = leftMs <= 0;
    const lookedAt = performance.now();
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (isLast) throw new Error(`it did not happen within ${timeoutMs} ms`);
    const pausedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    leftMs -= pausedAt - lookedAt + Math.min(performance.now() - pausedAt, everyMs + LATE_MS);
  }
}
