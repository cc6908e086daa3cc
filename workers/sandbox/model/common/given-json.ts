// Telegram's texts in JSON are small: descriptions of a client's media, or a payment's credentials.
const LENGTH_MAX = 16_384;

/** The value of a JSON text from a caller (`DataJSON`); undefined if it is not JSON, or longer than 16 KiB. */
export function parseGivenJson(text: string): unknown {
  if (text.length > LENGTH_MAX) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
