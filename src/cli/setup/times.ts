const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a past time for the API: an ISO time is kept; `5m` and the like are that long ago. */
export function timeAgo(text: string): string {
  return timeFromNow(text, -1);
}

/** Converts a future time for the API: an ISO time is kept; `5m` and the like are that long from now. */
export function timeAhead(text: string): string {
  return timeFromNow(text, 1);
}

function timeFromNow(text: string, direction: 1 | -1): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) return text;
  return new Date(Date.now() + direction * Number(count) * (UNITS[unit] ?? 0)).toISOString();
}
