import type { MessengerAccountRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { CONCURRENCY, limitsForm } from '../parts/limits.ts';
import { badge } from '../parts/marks.ts';
import { PauseSwitch } from '../parts/pause.ts';
import type { Context, View } from '../view.ts';
import { RecordView } from './record-view.ts';

/** One messenger account and its limit. */
export function account({ api, recordId: id }: Context): View {
  const path = `/v1/messenger-accounts/${id}`;
  const pause = new PauseSwitch(api, { kind: 'account', id });
  const record = new RecordView<MessengerAccountRecord>(api, path, (found) => ({
    title: found.name,
    facts: [
      ['Id', el('code', {}, id)],
      ['Workspace', el('a', { href: `#workspaces/${found.workspaceId}` }, el('code', {}, found.workspaceId))],
      ['Driver', found.driver],
      ['Status', badge(found.status)],
    ],
    links: { Audit: 'audit' },
    recordId: id,
    content: [
      pause.node,
      el('section', {}, el('h2', {}, 'Limits'), limitsForm(api, path, found, [CONCURRENCY])),
    ],
  }));
  return {
    node: record.node,
    close: () => pause.stop(),
    refresh: () => {
      void record.read();
      pause.refresh();
    },
  };
}
