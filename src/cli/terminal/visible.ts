/** A text of others for a terminal: without characters that move its cursor or change its state. Line breaks stay. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}]/gu, (character) => (character === '\n' ? character : ' '));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}
