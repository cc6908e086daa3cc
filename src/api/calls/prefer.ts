/** What `Prefer` asks for (RFC 7240). */
export interface Preference {
  /** Whether to accept the call as an async call. */
  respondAsync: boolean;
  /** How long to wait for the result of an async call before the answer; null for not at all. */
  waitSeconds: number | null;
}

/** The longest `wait`, in seconds. */
export const WAIT_MAX_SECONDS = 60;

const NONE: Preference = { respondAsync: false, waitSeconds: null };
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads a `Prefer` header. The first value of a preference counts. Unknown and malformed preferences are ignored (RFC 7240); a `wait` of
 * more than 60 seconds is reduced to that.
 */
export function readPrefer(header: string | string[] | undefined): Preference {
  if (header === undefined) return NONE;
  const wanted = new Map<string, string>();
  for (const item of splitList([header].flat().join(','))) {
    const [preference = ''] = item.split(';', 1);
    const [name = '', ...value] = preference.split('=').map((part) => part.trim());
    if (!TOKEN.test(name)) continue;
    const token = name.toLowerCase();
    if (!wanted.has(token)) wanted.set(token, unquote(value.join('=')));
  }
  return { respondAsync: wanted.get('respond-async') === '', waitSeconds: readWait(wanted.get('wait')) };
}

/** Whether a `Prefer` header may ask for an async call. Cheaper than `readPrefer`, and true if that finds `respondAsync`. */
export function looksAsync(header: string | string[] | undefined): boolean {
  return header !== undefined && String(header).toLowerCase().includes('respond-async');
}

/** The value of `Preference-Applied` for an async call; '' if no preference was applied, because only its schedule made the call async. */
export function preferenceApplied({ respondAsync, waitSeconds }: Preference): string {
  const applied = respondAsync ? ['respond-async'] : [];
  if (waitSeconds !== null) applied.push(`wait=${waitSeconds}`);
  return applied.join(', ');
}

// Splits at commas outside of quoted strings.
function splitList(list: string): string[] {
  const items: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at += 1;
    else if (character === ',' && !isQuoted) {
      items.push(list.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, list.slice(start)];
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function readWait(text = ''): number | null {
  return /^\d+$/.test(text) ? Math.min(Number(text), WAIT_MAX_SECONDS) : null;
}
