import type { WorkspaceRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { withQuery } from '../api.ts';
import { bytes, count } from '../format.ts';
import { creationRange } from '../id-search.ts';
import { Fields } from '../parts/fields.ts';
import { List } from '../parts/list.ts';
import { idText, stacked } from '../parts/marks.ts';
import { notify } from '../parts/notice.ts';
import type { Context, View } from '../view.ts';
import { account } from './account.ts';
import { workspace } from './workspace.ts';

const WHOLE_ID = /^(ws|acc)_\w{26}$/;

/** The workspaces, a page at a time, or the workspace or account in the address. */
export function workspaces(context: Context): View {
  const { api, recordId } = context;
  if (recordId.startsWith('ws_')) return workspace(context);
  if (recordId.startsWith('acc_')) return account(context);
  const filters = new Fields(
    'Workspaces',
    [
      { name: 'id', label: 'Id or its beginning', placeholder: 'ws_… or acc_…' },
      { name: 'organizationId', label: 'Organization', placeholder: 'org_…' },
    ],
    {},
    () => search(),
  );
  const list = new List<WorkspaceRecord>(api, {
    label: 'Workspaces',
    path: () => {
      const { id = '', organizationId } = filters.values;
      return withQuery('/v1/workspaces', {
        sort: '-createdAt',
        organizationId,
        ...creationRange(id),
      });
    },
    columns: [
      {
        name: 'Workspace',
        cell: ({ id, name }) => stacked(el('a', { href: `#workspaces/${id}` }, name), idText(id)),
      },
      { name: 'Organization', cell: ({ organizationId }) => idText(organizationId) },
      { name: 'Weight', isNumber: true, cell: ({ weight }) => count(weight) },
      {
        name: 'Calls at once',
        isNumber: true,
        cell: ({ maxConcurrentCalls }) => (maxConcurrentCalls === null ? 'any' : count(maxConcurrentCalls)),
      },
      { name: 'Kept', isNumber: true, cell: ({ bytesUsed }) => bytes(bytesUsed) },
    ],
    empty: 'No such workspaces.',
  });
  function search(): void {
    const { id = '' } = filters.values;
    if (WHOLE_ID.test(id)) location.hash = `#workspaces/${id}`;
    else if (id !== '' && creationRange(id) === null)
      notify('Ids of workspaces begin with ws_, those of accounts with acc_.', true);
    else list.restart();
  }
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Workspaces'),
    el('p', { class: 'lead' }, 'The newest first. Open one to see its accounts and limits.'),
    el('div', { class: 'toolbar' }, filters.node),
    list.node,
  );
  return { node, close: () => list.stop(), refresh: () => void list.refresh() };
}
