import { isEmail, isHost, isKnownHost, readPath } from './addresses.ts';
import { isBankCard } from './bank-cards.ts';

/** The kinds of links in a plain text. */
export type LinkKind = 'url' | 'email' | 'phone' | 'bankCard' | 'mention' | 'hashtag' | 'cashtag' | 'command';

/** An address, a number, a name, a tag or a command in a text; `index` is in UTF-16 units. */
export interface Link {
  kind: LinkKind;
  index: number;
  text: string;
}

/** A kind of link and its pattern. `accept` checks a match, with the text around it, and a path may follow it if `hasPath`. */
interface Rule {
  kind: LinkKind;
  pattern: RegExp;
  accept?: (text: string, before: string, after: string) => boolean;
  hasPath?: true;
}

// The first rule that matches at a position wins. No rule reads a character more than a few times, so the time is linear. Source: TDLib's
// `MessageEntity.cpp`, which follows Telegram's server.
const LINKS: readonly Rule[] = [
  { kind: 'url', pattern: /(?:[Tt][Gg]|[Tt][Oo][Nn]):\/\/[\w-]{1,253}/, hasPath: true },
  {
    kind: 'url',
    pattern:
      /(?:(?<![Ss])[Hh][Tt][Tt][Pp][Ss]?|(?<![SsTt])[Ff][Tt][Pp]|tonsite):\/\/(?:[^\s/<>"'`@()[\]{}«»]{1,64}@)?[\p{L}\p{M}\p{N}_~-]{1,63}(?:\.[\p{L}\p{M}\p{N}_~-]{1,63}){1,16}/u,
    accept: (text) => isHost(text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('@')) + 1)),
    hasPath: true,
  },
  { kind: 'email', pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/, accept: isEmail },
  {
    kind: 'url',
    pattern:
      /(?<![\p{L}\p{M}\p{N}_.@/#~-])(?:[\p{L}\p{M}\p{N}_~-]{1,63}\.){1,8}[\p{L}\p{M}\p{N}-]{1,63}(?![\p{L}\p{M}\p{N}_@~-])/u,
    accept: isKnownHost,
    hasPath: true,
  },
  { kind: 'phone', pattern: /(?<![\w+])\+\d[\d ()-]{6,18}\d(?![\w@])/, accept: hasEnoughDigits },
  {
    kind: 'bankCard',
    // All digits that follow each other are one number; but if the first 16 to 19 stand together, a space ends it.
    pattern: /\d{16,19}(?= )|\d(?:[ -]*\d){12,}/,
    accept: (text, before, after) =>
      !/[\p{L}\p{N}_+.,-]$/u.test(before) && !/^[\p{L}\p{N}_-]/u.test(after) && isBankCard(text),
  },
  {
    kind: 'mention',
    pattern: /(?<![\p{L}\p{N}_])@\w{3,32}(?![\p{L}\p{N}_])/u,
    accept: (text) => text.length > 4 || SHORT_NAMES.has(text.toLowerCase()),
  },
  {
    kind: 'hashtag',
    pattern:
      /(?<![\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff])#(?![\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff]*#)[\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff]{1,256}/u,
    accept: hasLetter,
  },
  {
    kind: 'cashtag',
    pattern:
      /(?<![\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff$])\$(?:1INCH|[A-Z]{1,8})(?![\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff$])/u,
  },
  {
    kind: 'command',
    pattern: /(?<![\p{L}\p{N}_/<>])\/\w{1,64}(?:@\w{3,32}|(?!@))(?![\p{L}\p{N}_/<>])/u,
  },
];

// Usernames have four letters or more, but for these.
const SHORT_NAMES: ReadonlySet<string> = new Set(['@gif', '@pic', '@vid']);

const ANY = new RegExp(LINKS.map(({ pattern }) => `(${pattern.source})`).join('|'), 'gu');

// Matches every text that may contain a link.
const MAY_HAVE_LINK = /[@#$/+]|\.\S|\d[\d -]{12}/;

/** The links of a text, in order; no two overlap. */
export function* findLinksIn(text: string): Generator<Link> {
  if (!MAY_HAVE_LINK.test(text)) return;
  const any = new RegExp(ANY);
  let rejectedUntil = 0;
  for (let match = any.exec(text); match !== null; match = any.exec(text)) {
    const { kind, accept, hasPath } = LINKS[match.slice(1).findIndex((group) => group !== undefined)] as Rule;
    const end = match.index + match[0].length;
    // Of digits that are no number of a card, a part is none either.
    const isPart = kind === 'bankCard' && match.index < rejectedUntil;
    if (isPart || accept?.(match[0], ...around(text, match.index, end)) === false) {
      // The last part may begin a link nevertheless: `end.https://example.org`, `13800138000 12345678@example.com`.
      const last = Math.max(match[0].lastIndexOf('.'), match[0].lastIndexOf(' ')) + 1;
      any.lastIndex = match.index + (last || match[0].length);
      rejectedUntil = end;
      continue;
    }
    const found = hasPath ? match[0] + readPath(text, any.lastIndex) : match[0];
    any.lastIndex = match.index + found.length;
    yield { kind, index: match.index, text: found };
  }
}

// A character has one or two UTF-16 units.
function around(text: string, start: number, end: number): [before: string, after: string] {
  return [text.slice(Math.max(start - 2, 0), start), text.slice(end, end + 2)];
}

const DIGITS_MIN = 7;
const DIGITS_MAX = 15;

function hasEnoughDigits(text: string): boolean {
  const count = text.match(/\d/g)?.length ?? 0;
  return count >= DIGITS_MIN && count <= DIGITS_MAX;
}

function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}
