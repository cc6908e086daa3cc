import { Problem } from '../../problem.ts';
import { findJsonError } from './find-json-error.ts';

/** The most values in a body, and in one with calls: each value costs time, however short it is. */
export const VALUES_MAX = 8_192;
export const CALL_VALUES_MAX = 32_768;

const DEPTH_MAX = 128;
// Of names beyond 16,383 characters the engine compares each with all others of its length, also those of earlier bodies.
const NAME_MAX = 4_096;
// A shorter text can neither be nested deeper nor have more values.
const HARMLESS_UP_TO = 2 * DEPTH_MAX;
const COLON = /\s*:/y;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Parses a body. Throws `invalid_json` if it is not JSON, nested too deeply or has too long a name, `body_too_large` if it has more than
 * `valuesMax` values. `__proto__` is a plain member.
 */
export function parseJson(text: string, valuesMax: number): unknown {
  if (text.length > HARMLESS_UP_TO) checkSize(text, valuesMax);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', { detail: detailOf(text) });
  }
}

function detailOf(text: string): string {
  if (text.trim() === '') return 'The body has white space only: send a JSON value, or no body at all.';
  const { line, column } = findJsonError(text);
  return `The body is no JSON from line ${line}, column ${column} on: correct it there.`;
}

// Counts brackets and commas. The count may be wrong for text that is not JSON.
function checkSize(text: string, valuesMax: number): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = passString(text, at);
    // `[` and `{`, and `]` and `}`, differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > DEPTH_MAX) throw tooDeep();
      if (++values > valuesMax) throw tooMany(valuesMax);
    } else if ((code | 0x20) === 0x7d) depth--;
    else if (code === COMMA && ++values > valuesMax) throw tooMany(valuesMax);
  }
}

// Returns where the string that begins at `start` ends; throws if it is too long a name.
function passString(text: string, start: number): number {
  const end = endOfString(text, start);
  if (end - start > NAME_MAX && isName(text, end)) throw nameTooLong();
  return end;
}

function isName(text: string, end: number): boolean {
  COLON.lastIndex = end + 1;
  return COLON.test(text);
}

function nameTooLong(): Problem {
  return new Problem('invalid_json', {
    detail: `A member's name in the body is longer than ${NAME_MAX} characters.`,
  });
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
  // If many quotes are escaped, searching for quotes costs more than checking each character.
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}
