import type { AuditRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { withQuery } from '../api.ts';
import { showRecord } from '../parts/dialog.ts';
import { Fields } from '../parts/fields.ts';
import { List } from '../parts/list.ts';
import { action, actorText, stacked, timeText } from '../parts/marks.ts';
import type { Context, View } from '../view.ts';
import { targetText } from './pauses.ts';

/** The audit list: who has changed what, and when. */
export function audit({ api, recordId }: Context): View {
  const filters = new Fields(
    'Audit',
    [
      { name: 'target', label: 'What was changed', placeholder: 'any, or its id' },
      { name: 'action', label: 'Action', placeholder: 'any, such as pause' },
      { name: 'by', label: 'By', placeholder: 'any, root or key_…' },
    ],
    { target: recordId },
    () => list.restart(),
  );
  const list = new List<AuditRecord>(api, {
    label: 'Audit',
    path: () => withQuery('/v1/audit', { sort: '-createdAt', ...filters.values }),
    columns: [
      { name: 'When', cell: ({ createdAt }) => timeText(createdAt) },
      { name: 'By', cell: ({ by }) => actorText(by) },
      { name: 'Action', cell: (one) => el('strong', { class: 'word' }, actionText(one)) },
      { name: 'What', cell: ({ target }) => whatText(target) },
      { name: 'From', cell: ({ from }) => partText(from) },
      { name: 'To', cell: ({ to }) => partText(to) },
      {
        name: '',
        cell: (one) =>
          el(
            'div',
            { class: 'actions' },
            action('Show', one.id, () => showRecord(one.action, one)),
          ),
      },
    ],
    empty: 'No such changes.',
  });
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Audit'),
    el('p', { class: 'lead' }, 'Who has changed what, the last first; it is kept for a year.'),
    el('div', { class: 'toolbar' }, filters.node),
    list.node,
  );
  return { node, close: () => list.stop(), refresh: () => void list.refresh() };
}

const TEXT_MAX = 120;

function actionText({ action, cascade }: AuditRecord): string {
  return cascade === true ? `${action} with cascade` : action;
}

// The settings have their kind as id.
function whatText(target: AuditRecord['target']): HTMLElement {
  const text = targetText(target);
  return target.id === target.kind ? text : stacked(text, target.kind);
}

function partText(part: object | null): HTMLElement {
  const members = Object.entries(part ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const text = members.join(', ') || '–';
  return el('code', {}, text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);
}
