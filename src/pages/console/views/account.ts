import type { MessengerAccountRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { CONCURRENCY, LimitsForm } from '../parts/limits.ts';
import { badge } from '../parts/marks.ts';
import { PauseSwitch } from '../parts/pause.ts';
import type { Context, View } from '../view.ts';
import { RecordView } from './record-view.ts';

/** One messenger account and its limit. */
export function account({ api, recordId: id }: Context): View {
  const path = `/v1/messenger-accounts/${id}`;
  const pause = new PauseSwitch(api, { kind: 'account', id });
  const limits = new LimitsForm(api, path, [CONCURRENCY], (saved) =>
    record.take(saved as MessengerAccountRecord),
  );
  const record: RecordView<MessengerAccountRecord> = new RecordView<MessengerAccountRecord>(api, path, {
    recordId: id,
    links: { Audit: 'audit' },
    content: [pause.node, el('section', {}, el('h2', {}, 'Limits'), limits.node)],
    show(found) {
      limits.show(found);
      const { name, workspaceId, driver, status } = found;
      return {
        title: name,
        facts: [
          ['Id', el('code', {}, id)],
          ['Workspace', el('a', { href: `#workspaces/${workspaceId}` }, el('code', {}, workspaceId))],
          ['Driver', driver],
          ['Status', badge(status)],
        ],
      };
    },
  });
  return {
    node: record.node,
    close: () => {
      record.stop();
      pause.stop();
    },
    refresh: () => {
      record.refresh();
      pause.refresh();
    },
  };
}
