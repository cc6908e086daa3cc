import type { WebhookRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { withQuery } from '../api.ts';
import { count, duration } from '../format.ts';
import { Fields } from '../parts/fields.ts';
import { List } from '../parts/list.ts';
import { action, badge, idText, stacked } from '../parts/marks.ts';
import { attempt } from '../parts/notice.ts';
import { Table } from '../parts/table.ts';
import type { WebhookBacklog } from '../types.ts';
import type { Context, View } from '../view.ts';
import { deliveries } from './deliveries.ts';

/** The webhooks and their backlog, or the deliveries of the webhook in the address. */
export function webhooks(context: Context): View {
  const { api, live, recordId } = context;
  if (recordId.startsWith('wh_')) return deliveries(context);
  const filters = new Fields(
    'Webhooks',
    [
      { name: 'workspaceId', label: 'Workspace', placeholder: 'any, or ws_…' },
      { name: 'status', label: 'Status', values: { '': 'Any', enabled: 'Enabled', disabled: 'Disabled' } },
    ],
    { workspaceId: recordId },
    () => list.restart(),
  );
  const switchTo = (id: string, status: WebhookRecord['status']) =>
    attempt(async () => {
      await api.send('PATCH', `/v1/webhooks/${id}`, { body: { status } });
      await list.refresh();
      return status === 'enabled'
        ? `${id} is enabled: what waits is sent now.`
        : `${id} is paused: its deliveries wait.`;
    });
  const list: List<WebhookRecord> = new List<WebhookRecord>(api, {
    label: 'Webhooks',
    path: () => withQuery('/v1/webhooks', { sort: '-createdAt', ...filters.values }),
    columns: [
      {
        name: 'Webhook',
        cell: ({ id, url }) => stacked(el('a', { href: `#webhooks/${id}` }, hostOf(url)), idText(id)),
      },
      { name: 'Workspace', cell: ({ workspaceId }) => idText(workspaceId, `#workspaces/${workspaceId}`) },
      { name: 'Kinds', cell: ({ kinds }) => (kinds === null ? 'All' : kinds.join(', ')) },
      { name: 'Status', cell: ({ status, disabledReason }) => [badge(status), ` ${disabledReason ?? ''}`] },
      { name: 'Missed', cell: ({ gap }) => (gap === null ? 'Nothing' : `Updates, ${gap.at}`) },
      {
        name: '',
        cell: ({ id, status }) =>
          el(
            'div',
            { class: 'actions' },
            status === 'enabled'
              ? action('Pause', id, () => void switchTo(id, 'disabled'))
              : action('Enable', id, () => void switchTo(id, 'enabled')),
          ),
      },
    ],
    empty: 'No such webhooks.',
  });
  const backlog = el('p', {});
  const behind = new Table<WebhookBacklog>(
    'Webhooks that are furthest behind',
    [
      { name: 'Furthest behind', cell: ({ id }) => idText(id, `#webhooks/${id}`) },
      { name: 'Workspace', cell: ({ workspaceId }) => idText(workspaceId, `#workspaces/${workspaceId}`) },
      { name: 'Waiting', isNumber: true, cell: ({ waiting }) => count(waiting) },
      { name: 'Oldest', isNumber: true, cell: ({ oldestMs }) => duration(oldestMs) },
    ],
    ({ id }) => id,
    'None is behind.',
  );
  const close = live.watch(() => {
    // An API process of an earlier release names none.
    const { waiting, oldestMs, enabled, disabled, furthestBehind = [] } = live.report.webhooks;
    behind.show(furthestBehind);
    behind.node.hidden = furthestBehind.length === 0;
    const waits = `${count(waiting)} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}, the oldest for ${duration(oldestMs)}`;
    backlog.textContent = `${waits}; ${count(enabled)} ${enabled === 1 ? 'webhook is' : 'webhooks are'} enabled, ${count(disabled)} disabled.`;
  });
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Webhooks'),
    el(
      'p',
      { class: 'lead' },
      'Where updates are sent. Open one to see its deliveries: what waits, what failed and why.',
    ),
    backlog,
    behind.node,
    el('div', { class: 'toolbar' }, filters.node),
    list.node,
  );
  return {
    node,
    close: () => {
      close();
      list.stop();
    },
    refresh: () => void list.refresh(),
  };
}

// The rest of the URL may contain a secret.
function hostOf(url: string): string {
  return new URL(url).host;
}
