import type { MessengerAccountRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { CONCURRENCY, limitsForm } from '../parts/limits.ts';
import { badge } from '../parts/marks.ts';
import { pauseSwitch } from '../parts/pause.ts';
import type { Context, View } from '../view.ts';
import { recordView } from './record-view.ts';

/** One messenger account and its limit. */
export function account({ api, about: id }: Context): View {
  const path = `/v1/messenger-accounts/${id}`;
  const node = recordView<MessengerAccountRecord>(api, path, (record) => ({
    title: record.name,
    facts: [
      ['Id', el('code', {}, id)],
      [
        'Workspace',
        el('a', { href: `#workspaces/${record.workspaceId}` }, el('code', {}, record.workspaceId)),
      ],
      ['Driver', record.driver],
      ['Status', badge(record.status)],
    ],
    links: { Audit: 'audit' },
    about: id,
    content: [
      pauseSwitch(api, { kind: 'account', id }),
      el('section', {}, el('h2', {}, 'Limits'), limitsForm(api, path, record, [CONCURRENCY])),
    ],
  }));
  return { node, close: () => undefined, refresh: () => undefined };
}
