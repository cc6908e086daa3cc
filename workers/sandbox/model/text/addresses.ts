import { isTopLevelDomain } from './top-level-domains.ts';

const EMAIL =
  /^(?:[a-z0-9_-]{0,26}[.+]){0,10}[a-z0-9_-]{1,35}@(?:[a-z0-9](?:[a-z0-9_-]{0,28}[a-z0-9])?\.){1,6}[a-z]{2,8}$/i;
const IP_V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const PUNYCODE = /^xn--[a-z0-9]{2,}$/i;

/** Whether Telegram takes a text for an e-mail address. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether a text of labels between dots names a host, under any top-level domain. */
export function isHost(text: string): boolean {
  if (IP_V4.test(text)) return true;
  const labels = text.split('.');
  const [top = '', second = ''] = labels.reverse();
  if (!/[^\d.]/.test(text) || labels.some((label) => label.endsWith('-')) || second.includes('_'))
    return false;
  return PUNYCODE.test(top) || (top.length > 1 && !/[_-]/.test(top));
}

/** Whether a text names a host under a known top-level domain, so that it is an address without `https://` too. */
export function isKnownHost(text: string): boolean {
  const top = text.slice(text.lastIndexOf('.') + 1);
  return isHost(text) && (IP_V4.test(text) || PUNYCODE.test(top) || isTopLevelDomain(top));
}

const PORT = /(?::\d{1,5}(?!\d))?/y;
const OUTSIDE_PATHS = /[\s<>"«»\u2000-\u200b\u200e\u200f\u2016-\u206f]/;
const OPENING = '([{';
const CLOSING = ')]}';
const BAD_ENDS = ".:;,('?!`";

/** The port and path that follow a host at an index; a bracket that was opened before the path ends it. */
export function readPath(text: string, index: number): string {
  PORT.lastIndex = index;
  const start = index + (PORT.exec(text)?.[0].length ?? 0);
  if (!'/?#'.includes(text[start] ?? ' ')) return text.slice(index, start);
  let end = start + 1;
  const open = [0, 0, 0];
  for (; end < text.length && !OUTSIDE_PATHS.test(text.charAt(end)); end += 1) {
    const opened = OPENING.indexOf(text.charAt(end));
    const closed = CLOSING.indexOf(text.charAt(end));
    if (opened >= 0) open[opened] = (open[opened] ?? 0) + 1;
    if (closed < 0) continue;
    if (open[closed] === 0) break;
    open[closed] = (open[closed] ?? 0) - 1;
  }
  while (end > start + 1 && BAD_ENDS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(index, text[start] === '/' || end > start + 1 ? end : start);
}
