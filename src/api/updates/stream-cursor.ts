const EPOCH_MS = Date.UTC(2024, 9, 9);
const INTERVAL_MS = 20_000;
const MAX_JUMP = 180;

/**
 * The `Stream-Cursor` of a live answer: the number of the current interval, or the next number if the reader already has it, so that no
 * cache answers with the same page forever.
 */
export function streamCursor(given: string | undefined, now = Date.now()): string {
  const present = Math.floor((now - EPOCH_MS) / INTERVAL_MS);
  const known = given !== undefined && /^\d{1,12}$/.test(given) ? Number(given) : -1;
  return String(known < present ? present : known + 1 + Math.floor(Math.random() * MAX_JUMP));
}
