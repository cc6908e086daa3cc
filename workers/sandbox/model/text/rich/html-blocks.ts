import { parseDocument } from 'htmlparser2';
import { MessengerError } from '../../../../driver.ts';
import { toListBlock, toOrderedListBlock } from './html-lists.ts';
import { type HtmlElement, type HtmlNode, isElement, numberOf, textOf } from './html-nodes.ts';
import { toTable } from './html-tables.ts';
import { isInlineImage, toBlockText } from './html-text.ts';
import type { PageBlock, RichText } from './rich-text.ts';

/** Makes the block of a medium that the HTML refers to by the id of a given file. */
export type FindMedium = (id: string, caption: Caption, element: HtmlElement) => PageBlock;

type Caption = Extract<PageBlock, { _: 'pageBlockAudio' }>['caption'];
type ToBlocks = (nodes: readonly HtmlNode[]) => PageBlock[];
type Heading = Extract<PageBlock, { _: `pageBlockHeading${string}` }>['_'];

const NO_TEXT: RichText = { _: 'textEmpty' };
const NO_CAPTION: Caption = {
  _: 'pageCaption',
  text: NO_TEXT,
  credit: NO_TEXT,
};
const MEDIA = ['img', 'video', 'audio'];
const ZOOM_MIN = 13;
const ZOOM_MAX = 20;
const DEGREES = /^[+-]?\d{1,3}(?:\.\d+)?$/;
const MAP_SIZE = { w: 600, h: 400 };

/** The blocks of an HTML text. Errors: those of `findMedium`. */
export function htmlToBlocks(html: string, findMedium: FindMedium): PageBlock[] {
  const toBlocks: ToBlocks = (nodes) => {
    const blocks: PageBlock[] = [];
    let line: HtmlNode[] = [];
    const endLine = () => {
      const text = toBlockText(line);
      if (text._ !== 'textEmpty') blocks.push({ _: 'pageBlockParagraph', text });
      line = [];
    };
    for (const node of nodes) {
      const own = isElement(node) && !isInlineImage(node) ? toOwnBlocks(node, toBlocks, findMedium) : null;
      if (own === null) {
        line.push(node);
        continue;
      }
      endLine();
      blocks.push(...own);
    }
    endLine();
    return blocks;
  };
  return toBlocks(parseDocument(html).children);
}

// Null for inline elements.
function toOwnBlocks(element: HtmlElement, toBlocks: ToBlocks, findMedium: FindMedium): PageBlock[] | null {
  const { name, children, attribs } = element;
  if (MEDIA.includes(name)) return [toMedium(element, captionOf(attribs.title), findMedium)];
  if (/^h[1-6]$/.test(name)) {
    return [
      {
        _: `pageBlockHeading${name.slice(1)}` as Heading,
        text: toBlockText(children),
      },
    ];
  }
  const plain = toPlainBlock(element);
  if (plain) return [plain];
  switch (name) {
    case 'p':
    case 'div':
    case 'section':
    case 'article':
      return toBlocks(children);
    case 'ul':
      return [toListBlock(element, toBlocks)];
    case 'ol':
      return [toOrderedListBlock(element, toBlocks)];
    case 'table':
      return [toTable(element)];
    case 'blockquote':
      return [toQuote(element, toBlocks)];
    case 'details':
      return [toDetails(element, toBlocks)];
    case 'figure':
      return toFigure(element, findMedium);
    case 'tg-collage':
    case 'tg-slideshow':
      return [toGroup(element, toBlocks)];
    default:
      return null;
  }
}

function toPlainBlock(element: HtmlElement): PageBlock | null {
  const { name, children, attribs } = element;
  switch (name) {
    case 'hr':
      return { _: 'pageBlockDivider' };
    case 'pre':
      return toPreformatted(element);
    case 'footer':
      return { _: 'pageBlockFooter', text: toBlockText(children) };
    case 'aside':
      return {
        _: 'pageBlockPullquote',
        text: toBlockText(without(children, 'cite')),
        caption: citeOf(children),
      };
    case 'tg-math-block':
      return { _: 'pageBlockMath', source: textOf(element).trim() };
    case 'tg-thinking':
      return { _: 'pageBlockThinking', text: toBlockText(children) };
    case 'tg-map':
      return toMap(element);
    case 'a':
      return attribs.name !== undefined && children.length === 0
        ? { _: 'pageBlockAnchor', name: attribs.name }
        : null;
    default:
      return null;
  }
}

function toPreformatted(element: HtmlElement): PageBlock {
  const code = element.children.find((child) => isElement(child, 'code'));
  const name = isElement(code) ? (code.attribs.class ?? '') : '';
  const language = /(?:^|\s)language-(\S+)/.exec(name)?.[1] ?? '';
  const text = textOf(element).replace(/^\n|\n$/g, '');
  return {
    _: 'pageBlockPreformatted',
    text: { _: 'textPlain', text },
    language,
  };
}

function toQuote({ children }: HtmlElement, toBlocks: ToBlocks): PageBlock {
  const blocks = toBlocks(without(children, 'cite'));
  const caption = citeOf(children);
  const [first] = blocks;
  if (blocks.length === 1 && first?._ === 'pageBlockParagraph') {
    return { _: 'pageBlockBlockquote', text: first.text, caption };
  }
  return { _: 'pageBlockBlockquoteBlocks', blocks, caption };
}

function toDetails({ children, attribs }: HtmlElement, toBlocks: ToBlocks): PageBlock {
  const summary = children.find((child) => isElement(child, 'summary'));
  return {
    _: 'pageBlockDetails',
    ...(attribs.open === undefined ? {} : { open: true }),
    title: isElement(summary) ? toBlockText(summary.children) : NO_TEXT,
    blocks: toBlocks(without(children, 'summary')),
  };
}

function toFigure({ children }: HtmlElement, findMedium: FindMedium): PageBlock[] {
  const caption = figureCaptionOf(children);
  const media = children.filter((child): child is HtmlElement => isElement(child, ...MEDIA));
  return media.map((medium) => toMedium(medium, caption, findMedium));
}

function toGroup({ name, children }: HtmlElement, toBlocks: ToBlocks): PageBlock {
  const items = toBlocks(without(children, 'figcaption'));
  const caption = figureCaptionOf(children);
  return {
    _: name === 'tg-collage' ? 'pageBlockCollage' : 'pageBlockSlideshow',
    items,
    caption,
  };
}

function toMedium(element: HtmlElement, caption: Caption, findMedium: FindMedium): PageBlock {
  const src = element.attribs.src ?? '';
  const id = /^tg:\/\/\w+\?id=(.+)$/.exec(src)?.[1] ?? src;
  return findMedium(id, caption, element);
}

function toMap(element: HtmlElement): PageBlock {
  const lat = degreesOf(element.attribs.lat);
  const long = degreesOf(element.attribs.long);
  return {
    _: 'pageBlockMap',
    geo: { _: 'geoPoint', lat, long, accessHash: '0' },
    zoom: Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, numberOf(element, 'zoom') ?? ZOOM_MIN)),
    ...MAP_SIZE,
    caption: NO_CAPTION,
  };
}

// `Number` reads nothing as 0.
function degreesOf(text = ''): number {
  if (!DEGREES.test(text)) throw new MessengerError('MEDIA_INVALID');
  return Number(text);
}

function captionOf(title: string | undefined): Caption {
  if (title === undefined || title === '') return NO_CAPTION;
  return { ...NO_CAPTION, text: { _: 'textPlain', text: title } };
}

function figureCaptionOf(children: readonly HtmlNode[]): Caption {
  const found = children.find((child) => isElement(child, 'figcaption'));
  if (!isElement(found)) return NO_CAPTION;
  const text = toBlockText(without(found.children, 'cite'));
  return { _: 'pageCaption', text, credit: citeOf(found.children) };
}

function citeOf(children: readonly HtmlNode[]): RichText {
  const cite = children.find((child) => isElement(child, 'cite'));
  return isElement(cite) ? toBlockText(cite.children) : NO_TEXT;
}

function without(children: readonly HtmlNode[], name: string): HtmlNode[] {
  return children.filter((child) => !isElement(child, name));
}
