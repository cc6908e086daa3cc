/** Makes an untrusted text safe for a terminal: characters that move its cursor or change its state become spaces. Line breaks stay. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}]/gu, (character) => (character === '\n' ? character : ' '));
}

/** Like `visible`, with line breaks replaced too. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}

/** A value as JSON that is safe for a terminal: escapes the control characters that JSON allows unescaped. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\p{Bidi_C}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
