import type { parseDocument } from 'htmlparser2';

export type HtmlNode = ReturnType<typeof parseDocument>['children'][number];
export type HtmlElement = Extract<HtmlNode, { attribs: unknown; name: string }>;

/** Whether a node is an element, of one of these names where any are given. */
export function isElement(node: HtmlNode | undefined, ...names: string[]): node is HtmlElement {
  if (node === undefined || !('attribs' in node)) return false;
  return names.length === 0 || names.includes(node.name);
}

/** The text in a node, with the white space as it was written. */
export function textOf(node: HtmlNode): string {
  if (isElement(node)) return node.children.map(textOf).join('');
  return node.type === 'text' && 'data' in node ? node.data : '';
}

/** An attribute that is a whole number, or undefined. */
export function numberOf(element: HtmlElement, name: string): number | undefined {
  const value = element.attribs[name];
  return value !== undefined && /^-?\d{1,9}$/.test(value) ? Number(value) : undefined;
}
