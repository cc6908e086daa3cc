import { concat, type RichText } from './rich-text.ts';

type Plain = Extract<RichText, { _: 'textPlain' }>;
type Linked = Extract<
  RichText,
  { _: 'textAutoUrl' | 'textAutoEmail' | 'textAutoPhone' | 'textMention' }
>['_'];
type Tagged = 'textHashtag' | 'textCashtag' | 'textBotCommand';

const LINKS: readonly [Linked | Tagged, RegExp][] = [
  ['textAutoUrl', /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)'\]]/],
  ['textAutoEmail', /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/],
  ['textAutoPhone', /\+\d[\d ()-]{6,18}\d/],
  ['textMention', /(?<![\w/])@[A-Za-z]\w{3,31}/],
  ['textHashtag', /(?<![\w/#])#[\p{L}_][\p{L}\p{N}_]{0,255}/u],
  ['textCashtag', /(?<![\w$])\$[A-Z]{3,8}(?![\w])/],
  ['textBotCommand', /(?<![\w/:.])\/[A-Za-z]\w{0,63}(?:@[A-Za-z]\w{3,31})?/],
];

const ANY = new RegExp(LINKS.map(([, { source }]) => `(${source})`).join('|'), 'gu');

/** A plain text with the addresses, numbers, names, tags and commands in it made into what they are. */
export function findLinks({ text }: Plain): RichText {
  const parts: RichText[] = [];
  let at = 0;
  for (const match of text.matchAll(ANY)) {
    const kind = LINKS[match.slice(1).findIndex((group) => group !== undefined)]?.[0];
    if (kind === undefined) continue;
    parts.push({ _: 'textPlain', text: text.slice(at, match.index) });
    parts.push({ _: kind, text: { _: 'textPlain', text: match[0] } });
    at = match.index + match[0].length;
  }
  return concat([...parts, { _: 'textPlain', text: text.slice(at) }]);
}
