import { type HtmlElement, isElement, numberOf } from './html-nodes.ts';
import { toBlockText } from './html-text.ts';
import type { PageBlock } from './rich-text.ts';

type Table = Extract<PageBlock, { _: 'pageBlockTable' }>;
type Cell = Table['rows'][number]['cells'][number];

/** The block of a `table`. */
export function toTable(table: HtmlElement): Table {
  const caption = table.children.find((child) => isElement(child, 'caption'));
  return {
    _: 'pageBlockTable',
    ...(table.attribs.striped === undefined ? {} : { striped: true }),
    ...(table.attribs.bordered === undefined && table.attribs.border === undefined ? {} : { bordered: true }),
    title: isElement(caption) ? toBlockText(caption.children) : { _: 'textEmpty' },
    rows: rowsOf(table).map((row) => ({
      _: 'pageTableRow',
      cells: cellsOf(row),
    })),
  };
}

function rowsOf(element: HtmlElement): HtmlElement[] {
  return element.children.flatMap((child) => {
    if (isElement(child, 'thead', 'tbody', 'tfoot')) return rowsOf(child);
    return isElement(child, 'tr') ? [child] : [];
  });
}

function cellsOf(row: HtmlElement): Cell[] {
  const cells = row.children.filter((child): child is HtmlElement => isElement(child, 'th', 'td'));
  return cells.map((cell) => {
    const { align, valign } = cell.attribs;
    const colspan = numberOf(cell, 'colspan');
    const rowspan = numberOf(cell, 'rowspan');
    return {
      _: 'pageTableCell',
      ...(cell.name === 'th' ? { header: true } : {}),
      ...(align === 'center' ? { alignCenter: true } : {}),
      ...(align === 'right' ? { alignRight: true } : {}),
      ...(valign === 'middle' ? { valignMiddle: true } : {}),
      ...(valign === 'bottom' ? { valignBottom: true } : {}),
      text: toBlockText(cell.children),
      ...(colspan === undefined ? {} : { colspan }),
      ...(rowspan === undefined ? {} : { rowspan }),
    };
  });
}
