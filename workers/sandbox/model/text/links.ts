import { isTopLevelDomain } from './top-level-domains.ts';

/** The kinds of links in a plain text. */
export type LinkKind = 'url' | 'email' | 'phone' | 'mention' | 'hashtag' | 'cashtag' | 'command';

/** An address, a number, a name, a tag or a command in a text; `index` is in UTF-16 units. */
export interface Link {
  kind: LinkKind;
  index: number;
  text: string;
}

type Accept = (text: string) => boolean;

/** A kind of link and its pattern. `accept` checks a match, and `tail` may follow it. */
type Rule = readonly [kind: LinkKind, pattern: RegExp, accept?: Accept, tail?: RegExp];

// The port and path after a host. Sticky, as it is matched where the host ends.
const AFTER_HOST = /(?::\d{1,5})?(?:[/?#][^\s<>"]*[^\s<>".,;:!?)'\]])?/uy;

// The first rule that matches at a position wins. No rule reads a character more than a few times, so the time is linear.
const LINKS: readonly Rule[] = [
  [
    'url',
    /(?<![\p{L}\p{N}])(?:(?:[Hh]ttps?|[Ff]tp|tg|ton|tonsite):\/\/|[Ww]ww\.)[^\s<>"]*[^\s<>".,;:!?)'\]]/u,
  ],
  ['email', /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/],
  [
    'url',
    /(?<![\p{L}\p{N}_.@-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}_@-])/u,
    isHost,
    AFTER_HOST,
  ],
  ['phone', /(?<![\w+])\+\d[\d ()-]{6,18}\d(?!\w)/, hasEnoughDigits],
  ['mention', /(?<![\w@/])@[A-Za-z]\w{3,31}(?!\w)/],
  ['hashtag', /(?<![\p{L}\p{N}_/#])#[\p{L}\p{N}_]{1,256}(?![\p{L}\p{N}_#])/u, hasLetter],
  ['cashtag', /(?<![\w$])\$[A-Z]{1,8}(?![\w$])/],
  ['command', /(?<![\w/:.<>])\/[A-Za-z]\w{0,63}(?:@[A-Za-z]\w{3,31})?(?![\w/<>])/],
];

const ANY = new RegExp(LINKS.map(([, { source }]) => `(${source})`).join('|'), 'gu');

// Matches every text that may contain a link.
const MAY_HAVE_LINK = /[@#$/+]|\.\S/;

/** The links of a text, in order; no two overlap. */
export function* findLinksIn(text: string): Generator<Link> {
  if (!MAY_HAVE_LINK.test(text)) return;
  const any = new RegExp(ANY);
  for (let match = any.exec(text); match !== null; match = any.exec(text)) {
    const [kind, , accept, tail] = LINKS[match.slice(1).findIndex((group) => group !== undefined)] as Rule;
    if (accept?.(match[0]) === false) {
      // If the text is not a host, its last part may begin a link: `end.https://example.org`.
      any.lastIndex = match.index + (match[0].lastIndexOf('.') + 1 || match[0].length);
      continue;
    }
    const found = tail ? match[0] + textAt(tail, text, any.lastIndex) : match[0];
    any.lastIndex = match.index + found.length;
    yield { kind, index: match.index, text: found };
  }
}

function textAt(sticky: RegExp, text: string, index: number): string {
  sticky.lastIndex = index;
  return sticky.exec(text)?.[0] ?? '';
}

function isHost(text: string): boolean {
  return isTopLevelDomain(text.slice(text.lastIndexOf('.') + 1));
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
