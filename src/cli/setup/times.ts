const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time in the past as the API takes it: as it is, or so many seconds, minutes, hours or days ago, such as `5m`. */
export function timeAgo(text: string): string {
  return timeFromNow(text, -1);
}

/** A time in the future as the API takes it: as it is, or in so many seconds, minutes, hours or days, such as `5m`. */
export function timeAhead(text: string): string {
  return timeFromNow(text, 1);
}

function timeFromNow(text: string, direction: 1 | -1): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) return text;
  return new Date(Date.now() + direction * Number(count) * (UNITS[unit] ?? 0)).toISOString();
}
