const SECONDS = 24 * 60 * 60;

/** The day of a date in seconds, counted from the epoch in UTC. */
export function dayOf(date: number): number {
  return Math.floor(date / SECONDS);
}

/** The start of a day in milliseconds, as charts have it. */
export function startOfDay(day: number): number {
  return day * SECONDS * 1_000;
}
