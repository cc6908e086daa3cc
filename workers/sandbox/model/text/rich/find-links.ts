import { findLinksIn, type LinkKind } from '../links.ts';
import { concat, type RichText } from './rich-text.ts';

type Plain = Extract<RichText, { _: 'textPlain' }>;

const TEXTS = {
  url: 'textAutoUrl',
  email: 'textAutoEmail',
  phone: 'textAutoPhone',
  bankCard: 'textBankCard',
  mention: 'textMention',
  hashtag: 'textHashtag',
  cashtag: 'textCashtag',
  command: 'textBotCommand',
} as const satisfies Record<LinkKind, RichText['_']>;

/** A plain text with its addresses, numbers, names, tags and commands converted to links. */
export function findLinks({ text }: Plain): RichText {
  const parts: RichText[] = [];
  let at = 0;
  for (const link of findLinksIn(text)) {
    parts.push({ _: 'textPlain', text: text.slice(at, link.index) });
    parts.push({ _: TEXTS[link.kind], text: { _: 'textPlain', text: link.text } });
    at = link.index + link.text.length;
  }
  return concat([...parts, { _: 'textPlain', text: text.slice(at) }]);
}
