/** The text after the `#` of the address; '' if it cannot be decoded, since anyone may write one. */
export function hashText(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
