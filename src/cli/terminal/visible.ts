/** Makes an untrusted text safe for a terminal: removes characters that move its cursor or change its state. Line breaks stay. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}]/gu, (character) => (character === '\n' ? character : ' '));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}

/** A value as JSON, with control characters escaped that JSON allows but a terminal would obey. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\p{Bidi_C}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
