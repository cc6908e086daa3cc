import { Option } from 'commander';
import { readList } from '../../client/lists.ts';
import type { Column } from '../terminal/output.ts';
import { type Context, numberOf } from './context.ts';

const PAGE_ITEMS = 100;
const ITEMS_MAX = 1_000_000_000;
const UNORDERED = new Set(['/v1/methods', '/v1/pauses', '/v1/workers']);

/** The options of a command that shows a list. */
export const LIMIT = new Option('--limit <count>', 'how many at most').default(String(PAGE_ITEMS));
export const ALL = new Option('--all', 'all there are');

/** Shows the items of a list, as many as --limit says, as they come: the newest first if the list is ordered by time. */
export async function showList<Item>(
  { http, out, options }: Context,
  path: string,
  filter: Record<string, string>,
  columns: readonly Column<Item>[],
): Promise<void> {
  const limit = options.all === true ? ITEMS_MAX : numberOf('--limit', options.limit, ITEMS_MAX);
  let part: Item[] = [];
  let shown = 0;
  let isCut = false;
  for await (const item of readList<Item>(http, path, { ...newestFirst(path, filter), ...filter }, {})) {
    isCut = shown + part.length === limit;
    if (isCut) break;
    part.push(item);
    if (part.length < PAGE_ITEMS) continue;
    out.rows(part, columns);
    shown += part.length;
    part = [];
  }
  if (part.length > 0) out.rows(part, columns);
  else if (shown === 0) out.note('There is none.');
  if (isCut) out.note(`There are more: --limit ${limit * 10}, or --all.`);
}

/** The newest first, by the time that the filter bounds: the API accepts such a filter in no other order. */
function newestFirst(path: string, filter: object): { sort?: string } {
  if (UNORDERED.has(path)) return {};
  const [, ended] = /\b(finished|settled)(?:After|Before)\b/.exec(Object.keys(filter).join()) ?? [];
  return { sort: `-${ended ?? 'created'}At` };
}
