import type { MessengerAccountRecord, WorkspaceRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { withQuery } from '../api.ts';
import { bytes, count } from '../format.ts';
import { CONCURRENCY, type Limit, LimitsForm } from '../parts/limits.ts';
import { List } from '../parts/list.ts';
import { badge, idText, stacked } from '../parts/marks.ts';
import { PauseSwitch } from '../parts/pause.ts';
import type { Context, View } from '../view.ts';
import { RecordView } from './record-view.ts';

const LIMITS: Limit[] = [
  {
    name: 'weight',
    label: 'Weight',
    help: 'Its share while more is asked for than there is: 1 to 100.',
    min: 1,
    max: 100,
  },
  CONCURRENCY,
  {
    name: 'bytesMax',
    label: 'Bytes kept',
    help: '0 for any number; leave it empty for the default.',
    min: 0,
    max: 2 ** 50,
    isOptional: true,
  },
];

/** One workspace: its limits and its accounts. */
export function workspace({ api, recordId: id }: Context): View {
  const path = `/v1/workspaces/${id}`;
  const accounts = new List<MessengerAccountRecord>(api, {
    label: 'Accounts',
    path: () => withQuery('/v1/messenger-accounts', { workspaceId: id }),
    columns: [
      {
        name: 'Account',
        cell: (one) => stacked(el('a', { href: `#workspaces/${one.id}` }, one.name), idText(one.id)),
      },
      { name: 'Driver', cell: ({ driver }) => driver },
      { name: 'Status', cell: ({ status }) => badge(status) },
      {
        name: 'Calls at once',
        isNumber: true,
        cell: ({ maxConcurrentCalls }) => (maxConcurrentCalls === null ? 'any' : count(maxConcurrentCalls)),
      },
    ],
    empty: 'It has no accounts.',
  });
  const pause = new PauseSwitch(api, { kind: 'workspace', id });
  const limits = new LimitsForm(api, path, LIMITS, (saved) => record.take(saved as WorkspaceRecord));
  const record: RecordView<WorkspaceRecord> = new RecordView<WorkspaceRecord>(api, path, {
    recordId: id,
    links: {
      Failures: 'failures',
      'Async calls': 'calls',
      Webhooks: 'webhooks',
      Updates: 'updates',
      Audit: 'audit',
    },
    content: [
      pause.node,
      el('section', {}, el('h2', {}, 'Limits'), limits.node),
      el('section', {}, el('h2', {}, 'Accounts'), accounts.node),
    ],
    show(found) {
      limits.show(found);
      return {
        title: found.name,
        facts: [
          ['Id', el('code', {}, id)],
          ['Organization', el('code', {}, found.organizationId)],
          ['Keeps', bytes(found.bytesUsed)],
        ],
      };
    },
  });
  return {
    node: record.node,
    close: () => {
      record.stop();
      accounts.stop();
      pause.stop();
    },
    refresh: () => {
      record.refresh();
      void accounts.refresh();
      pause.refresh();
    },
  };
}
