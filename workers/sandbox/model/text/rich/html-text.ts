import { isLong } from '../../../../../src/tl/long-check.ts';
import { type HtmlElement, type HtmlNode, isElement, textOf } from './html-nodes.ts';
import { concat, type RichText, trim } from './rich-text.ts';

type Wrapping =
  | 'textBold'
  | 'textItalic'
  | 'textUnderline'
  | 'textStrike'
  | 'textFixed'
  | 'textMarked'
  | 'textSubscript'
  | 'textSuperscript'
  | 'textSpoiler';
type DateFlag = 'relative' | 'shortTime' | 'longTime' | 'shortDate' | 'longDate' | 'dayOfWeek';

const WRAPPING = new Map<string, Wrapping>(
  Object.entries({
    b: 'textBold',
    strong: 'textBold',
    i: 'textItalic',
    em: 'textItalic',
    u: 'textUnderline',
    ins: 'textUnderline',
    s: 'textStrike',
    strike: 'textStrike',
    del: 'textStrike',
    code: 'textFixed',
    mark: 'textMarked',
    sub: 'textSubscript',
    sup: 'textSuperscript',
    'tg-spoiler': 'textSpoiler',
  } as const),
);

const DATE_FLAGS: Record<string, DateFlag> = {
  r: 'relative',
  t: 'shortTime',
  T: 'longTime',
  d: 'shortDate',
  D: 'longDate',
  w: 'dayOfWeek',
};

const ID = /^\d{1,19}$/;
const INT_MAX = 2 ** 31 - 1;

/** Converts the HTML in a block to the block's text. */
export function toBlockText(nodes: readonly HtmlNode[]): RichText {
  return trim(nodes.map(toRichText));
}

/** Whether an image is inline: a custom emoji or a date. */
export function isInlineImage(node: HtmlNode): boolean {
  return isElement(node, 'img') && /^tg:\/\/(?:emoji|time)\b/.test(node.attribs.src ?? '');
}

function toRichText(node: HtmlNode): RichText {
  if (!isElement(node)) return { _: 'textPlain', text: textOf(node).replace(/[ \t\n\f\r]+/g, ' ') };
  const inner = () => concat(node.children.map(toRichText));
  const isSpoiler = node.name === 'span' && (node.attribs.class ?? '').split(' ').includes('tg-spoiler');
  const wrapping = isSpoiler ? 'textSpoiler' : WRAPPING.get(node.name);
  if (wrapping) return { _: wrapping, text: inner() };
  switch (node.name) {
    case 'br':
      return { _: 'textPlain', text: '\n' };
    case 'a':
      return toLink(node, inner());
    case 'tg-math':
      return { _: 'textMath', source: textOf(node) };
    case 'tg-emoji':
      return toEmoji(node.attribs['emoji-id'], textOf(node));
    case 'tg-time':
      return toDate(node.attribs.unix, node.attribs.format, inner());
    case 'img':
      return toInlineImage(node);
    default:
      return inner();
  }
}

function toLink({ attribs }: HtmlElement, text: RichText): RichText {
  const { href, name } = attribs;
  if (name !== undefined) return { _: 'textAnchor', text, name };
  if (href === undefined) return text;
  const [, scheme = '', rest = ''] = /^(mailto:|tel:|tg:\/\/user\?id=)?(.*)$/s.exec(href) ?? [];
  if (scheme === 'mailto:') return { _: 'textEmail', text, email: rest };
  if (scheme === 'tel:') return { _: 'textPhone', text, phone: rest };
  if (scheme !== '' && ID.test(rest)) return { _: 'textMentionName', text, userId: Number(rest) };
  return { _: 'textUrl', text, url: href, webpageId: '0' };
}

function toInlineImage({ attribs }: HtmlElement): RichText {
  const alt = attribs.alt ?? '';
  const [, kind, query] = /^tg:\/\/(emoji|time)\?(.*)$/.exec(attribs.src ?? '') ?? [];
  const fields = new URLSearchParams(query ?? '');
  if (kind === 'emoji') return toEmoji(fields.get('id') ?? undefined, alt);
  const text = { _: 'textPlain' as const, text: alt };
  return toDate(fields.get('unix') ?? undefined, fields.get('format') ?? undefined, text);
}

function toEmoji(id: string | undefined, alt: string): RichText {
  if (id === undefined || !ID.test(id) || !isLong(id)) return { _: 'textPlain', text: alt };
  return { _: 'textCustomEmoji', documentId: id, alt };
}

function toDate(unix: string | undefined, format: string | undefined, text: RichText): RichText {
  if (unix === undefined || !/^\d{1,10}$/.test(unix) || Number(unix) > INT_MAX) return text;
  const flags = [...(format ?? '')].map((letter) => DATE_FLAGS[letter]).filter((flag) => flag !== undefined);
  return {
    _: 'textDate',
    text,
    date: Number(unix),
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
  };
}
