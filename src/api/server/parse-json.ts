import { Problem } from '../../problem.ts';

/** How many values a body may have, and one with calls: what is made of each takes its time, however short it is. */
export const VALUES_MAX = 8_192;
export const CALL_VALUES_MAX = 32_768;

const DEPTH_MAX = 128;
// JSON that is nested deeper opens and closes more often, and more values take more characters.
const HARMLESS_UP_TO = 2 * DEPTH_MAX;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Parses a body; `invalid_json` for what is not JSON or nested too deeply to be walked, `body_too_large` for more than `valuesMax` values.
 * `__proto__` stays a plain member.
 */
export function parseJson(text: string, valuesMax: number): unknown {
  if (text.length > HARMLESS_UP_TO) checkSize(text, valuesMax);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', text.trim() === '' ? { detail: 'The body is empty.' } : {});
  }
}

// Counts what opens and what follows a comma. Of text that is not JSON it may see more or less than there is.
function checkSize(text: string, valuesMax: number): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // `[` and `{`, then `]` and `}`: each pair differs in one bit from the other.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > DEPTH_MAX) throw tooDeep();
      if (++values > valuesMax) throw tooMany(valuesMax);
    } else if ((code | 0x20) === 0x7d) depth--;
    else if (code === COMMA && ++values > valuesMax) throw tooMany(valuesMax);
  }
}

function tooDeep(): Problem {
  return new Problem('invalid_json', { detail: `The body is nested deeper than ${DEPTH_MAX} levels.` });
}

function tooMany(valuesMax: number): Problem {
  const detail = `The body has more than ${valuesMax} values: send them in several requests.`;
  return new Problem('body_too_large', { detail });
}

function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // To look for each quote costs more than to look at each character where many are escaped.
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}
