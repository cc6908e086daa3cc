// Telegram's texts in JSON are small: descriptions of a client's media, or a payment's credentials.
const LENGTH_MAX = 16_384;

// As in the body of a request. A value of thousands of levels can be parsed, but not be written again.
const LEVELS_MAX = 128;

/** The value of a JSON text from a caller (`DataJSON`); undefined if it is not JSON, longer than 16 KiB, or has more than 128 levels. */
export function parseGivenJson(text: string): unknown {
  if (text.length > LENGTH_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasLevels(value, LEVELS_MAX) ? value : undefined;
  } catch {
    return undefined;
  }
}

function hasLevels(value: unknown, atMost: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return atMost > 0 && Object.values(value).every((one) => hasLevels(one, atMost - 1));
}
