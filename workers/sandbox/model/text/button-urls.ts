import { parseUrl } from '../../../../src/parse-url.ts';
import { isHost } from './addresses.ts';

// Links that apps open themselves. Source: TDLib's `LinkManager.cpp`.
const APP_LINK = /^(?:(?:tg|ton):(?:\/\/)?|tonsite:\/\/)[\w.-]+(?:[/?#]|$)/i;

// All buttons of a message have no more together.
const LENGTH_MAX = 10_000;

// A host, perhaps with a name, a password or a port. `URL` would skip white space in it, and slashes before it.
const AUTHORITY = /^[^\s/\\?#]+(?:[/?#]|$)/;

/** Whether a button may open an address: of a host, with `http://`, `https://` or nothing before it, or one that Telegram's apps open. */
export function isButtonUrl(text: string): boolean {
  const given = text.trim();
  if (APP_LINK.test(given)) return true;
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(given)?.[0];
  const url = parse(scheme ?? 'http://', given.slice(scheme?.length ?? 0));
  // Without a scheme, what looks like a name and a password is another kind of link, such as `mailto:`.
  return url !== null && /^https?:$/.test(url.protocol) && (scheme !== undefined || url.username === '');
}

/** Whether a button may open a web app, or log in, at an address. */
export function isWebAppUrl(text: string): boolean {
  const scheme = /^https:\/\//i.exec(text.trim())?.[0];
  return scheme !== undefined && parse(scheme, text.trim().slice(scheme.length)) !== null;
}

function parse(scheme: string, rest: string): URL | null {
  const url = AUTHORITY.test(rest) ? parseUrl(scheme + rest, LENGTH_MAX) : null;
  return url && hasDomain(url) ? url : null;
}

// `localhost` is refused. An address of IPv6 is in brackets.
function hasDomain({ hostname }: URL): boolean {
  return hostname.startsWith('[') || (hostname.includes('.') && isHost(hostname));
}
