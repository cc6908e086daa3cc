import { Problem } from '../problem.ts';

const MAX_DEPTH = 128;
// JSON that is nested deeper opens and closes more often.
const SHALLOW_UP_TO = 2 * MAX_DEPTH;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Parses a body; `invalid_json` for what is not JSON or nested too deeply to be walked. `__proto__` stays a plain member. */
export function parseJson(text: string): unknown {
  if (text.length > SHALLOW_UP_TO && isTooDeep(text))
    throw new Problem('invalid_json', {
      detail: `The body is nested deeper than ${MAX_DEPTH} levels.`,
    });
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', text.trim() === '' ? { detail: 'The body is empty.' } : {});
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // `[` and `{`, then `]` and `}`: each pair differs in one bit from the other.
    else if ((code | 0x20) === 0x7b && ++depth > MAX_DEPTH) return true;
    else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
