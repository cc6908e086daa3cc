const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A readable number: small ones have a decimal. */
export function count(value: number): string {
  return (Math.abs(value) < 10 ? fine : whole).format(value);
}

export function perSecond(value: number | null): string {
  if (value === null) return '–';
  return `${count(value)}/s`;
}

export function percent(share: number): string {
  return `${whole.format(share * 100)} %`;
}

/** A duration; null for none. */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1_000) return `${count(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 120) return `${count(seconds)} s`;
  if (seconds < 7_200) return `${whole.format(seconds / 60)} min`;
  return seconds < 172_800 ? `${whole.format(seconds / 3_600)} h` : `${whole.format(seconds / 86_400)} d`;
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return `${count(value / 1_000 ** power)} ${units[power]}`;
}

/** A time; with its day unless that is today. */
export function moment(iso: string): string {
  const time = new Date(iso);
  return (time.toDateString() === new Date().toDateString() ? clock : date).format(time);
}
