import { type Child, el } from '../shared/dom.ts';

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https?:|\/|#)[^)\s]+)\)/g;

/** Renders the subset of Markdown that descriptions use: code, bold, links, lists, paragraphs. */
export function richText(text: string): HTMLElement[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n');
    const items = lines.filter((line) => line.startsWith('- '));
    const prose = lines.filter((line) => !line.startsWith('- ')).join(' ');
    const list = items.map((item) => el('li', {}, ...inline(item.slice('- '.length))));
    return [
      ...(prose.trim() === '' ? [] : [el('p', {}, ...inline(prose))]),
      ...(list.length === 0 ? [] : [el('ul', { class: 'plain' }, ...list)]),
    ];
  });
}

/** Renders one line of it. */
export function inline(text: string): Child[] {
  const nodes: Child[] = [];
  let from = 0;
  for (const mark of text.matchAll(MARKS)) {
    const [whole, code, bold, label, address = ''] = mark;
    nodes.push(text.slice(from, mark.index));
    if (code !== undefined) nodes.push(el('code', {}, code));
    else if (bold !== undefined) nodes.push(el('strong', {}, bold));
    else nodes.push(el('a', { href: address }, label ?? ''));
    from = mark.index + whole.length;
  }
  return [...nodes, text.slice(from)];
}
