// A host has 253 characters at most; a name, a password and a port may stand beside it.
const AUTHORITY_MAX = 512;

/**
 * Parses a URL from a caller; null if it is none, longer than `lengthMax`, or has a longer host than there are. The host is looked at first:
 * to convert one of other scripts to ASCII takes time that grows with the square of its length.
 */
export function parseUrl(text: string, lengthMax: number): URL | null {
  if (text.length > lengthMax) return null;
  // As the parser does: without tabs and line breaks, and with any number of slashes.
  const authority = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text.replace(/[\t\n\r]/g, ''))?.[1] ?? '';
  return authority.length <= AUTHORITY_MAX && URL.canParse(text) ? new URL(text) : null;
}
