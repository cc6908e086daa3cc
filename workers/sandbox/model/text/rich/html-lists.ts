import { type HtmlElement, type HtmlNode, isElement, numberOf } from './html-nodes.ts';
import type { PageBlock, RichText } from './rich-text.ts';

type ToBlocks = (nodes: readonly HtmlNode[]) => PageBlock[];
type Content = { text: RichText } | { blocks: PageBlock[] };

/** The block of a `ul`; `input` elements in its items are check boxes. */
export function toListBlock(list: HtmlElement, toBlocks: ToBlocks): PageBlock {
  return {
    _: 'pageBlockList',
    items: itemsOf(list).map((item) => {
      const content = contentOf(item, toBlocks);
      const box = checkboxOf(item);
      return 'text' in content
        ? { _: 'pageListItemText', ...box, ...content }
        : { _: 'pageListItemBlocks', ...box, ...content };
    }),
  };
}

/** The block of an `ol`, with its `start`, `type` and `reversed`, and each item's `value` and number (`num`), as a browser counts. */
export function toOrderedListBlock(list: HtmlElement, toBlocks: ToBlocks): PageBlock {
  const { reversed, type } = list.attribs;
  const items = itemsOf(list);
  const start = numberOf(list, 'start');
  let next = start ?? (reversed === undefined ? 1 : items.length);
  return {
    _: 'pageBlockOrderedList',
    ...(reversed === undefined ? {} : { reversed: true }),
    ...(start === undefined ? {} : { start }),
    ...(type === undefined ? {} : { type }),
    items: items.map((item) => {
      const value = numberOf(item, 'value');
      const num = value ?? next;
      next = reversed === undefined ? num + 1 : num - 1;
      const content = contentOf(item, toBlocks);
      const numbered = {
        ...checkboxOf(item),
        num: String(num),
        ...(value === undefined ? {} : { value }),
      };
      return 'text' in content
        ? { _: 'pageListOrderedItemText', ...numbered, ...content }
        : { _: 'pageListOrderedItemBlocks', ...numbered, ...content };
    }),
  };
}

function itemsOf(list: HtmlElement): HtmlElement[] {
  return list.children.filter((child): child is HtmlElement => isElement(child, 'li'));
}

// A single paragraph is the text of its item.
function contentOf(item: HtmlElement, toBlocks: ToBlocks): Content {
  const blocks = toBlocks(item.children);
  const [first] = blocks;
  if (first === undefined) return { text: { _: 'textEmpty' } };
  return blocks.length === 1 && first._ === 'pageBlockParagraph' ? { text: first.text } : { blocks };
}

// A check box may be the first element of the item, or of its paragraph or label.
function checkboxOf(item: HtmlElement): { checkbox?: true; checked?: true } {
  const first = item.children.find((child) => isElement(child));
  const box = isElement(first, 'p', 'label') ? first.children.find((child) => isElement(child)) : first;
  if (!isElement(box, 'input') || box.attribs.type !== 'checkbox') return {};
  return {
    checkbox: true,
    ...(box.attribs.checked === undefined ? {} : { checked: true }),
  };
}
