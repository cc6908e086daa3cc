import { isHost } from './addresses.ts';

// Links that apps open themselves.
const APP_LINK = /^(?:tg|ton|tonsite):\/\/[^\s/?#]/i;

/** Whether a button may open an address: of a host, with `http://`, `https://` or nothing before it, or one that Telegram's apps open. */
export function isButtonUrl(text: string): boolean {
  if (APP_LINK.test(text)) return true;
  const given = text.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(given);
  const url = parse(hasScheme ? given : `http://${given}`);
  // Without a scheme, what looks like a name and a password is another kind of link, such as `mailto:`.
  return (
    url !== null && /^https?:$/.test(url.protocol) && (hasScheme || url.username === '') && hasDomain(url)
  );
}

/** Whether a button may open a web app, or log in, at an address. */
export function isWebAppUrl(text: string): boolean {
  const url = parse(text);
  return url !== null && url.protocol === 'https:' && hasDomain(url);
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

// `localhost` is refused.
function hasDomain({ hostname }: URL): boolean {
  return hostname.includes('.') && isHost(hostname);
}
