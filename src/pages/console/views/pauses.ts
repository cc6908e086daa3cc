import type { PauseRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { Fields } from '../parts/fields.ts';
import { List } from '../parts/list.ts';
import { action, actorText, idText, stacked, timeText } from '../parts/marks.ts';
import { notify } from '../parts/notice.ts';
import { askToPause, resume } from '../parts/pause.ts';
import type { Target } from '../types.ts';
import type { Context, View } from '../view.ts';

const TARGET_KINDS = { workspace: 'Workspace', account: 'Account', method: 'Method', lane: 'Lane' };

/** What is paused: workspaces, accounts, methods and lanes. */
export function pauses({ api }: Context): View {
  const list = new List<PauseRecord>(api, {
    label: 'Pauses',
    path: () => '/v1/pauses',
    idOf: ({ target }) => `${target.kind} ${target.id}`,
    columns: [
      { name: 'What', cell: ({ target }) => stacked(targetText(target), target.kind) },
      { name: 'New calls', cell: ({ mode }) => (mode === 'wait' ? 'wait' : 'are refused') },
      { name: 'Reason', cell: ({ reason }) => reason ?? '–' },
      { name: 'Since', cell: ({ since }) => timeText(since) },
      { name: 'By', cell: ({ by }) => actorText(by) },
      {
        name: '',
        cell: ({ target }) =>
          el(
            'div',
            { class: 'actions' },
            action('Resume', target.id, () => void resume(api, target, () => void list.refresh())),
          ),
      },
    ],
    empty: 'Nothing is paused.',
  });
  const chosen = new Fields(
    'What to pause',
    [
      { name: 'kind', label: 'What to pause', values: TARGET_KINDS },
      { name: 'id', label: 'Its id, or its name', placeholder: 'ws_… or a name' },
    ],
    { kind: 'workspace' },
    // Its values are read when the button is pressed.
    () => undefined,
  );
  const pauseChosen = () => {
    const { kind = '', id = '' } = chosen.values;
    if (id === '') notify('Type what to pause first: an id, or the name of a method or lane.', true);
    else askToPause(api, { kind, id }, () => void list.refresh());
  };
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Pauses'),
    el(
      'p',
      { class: 'lead' },
      'Calls of what is paused wait or are refused until it is resumed. Calls that already run go on; async calls that were accepted wait.',
    ),
    el(
      'div',
      { class: 'toolbar' },
      chosen.node,
      el(
        'p',
        { class: 'buttons' },
        el('button', { type: 'button', class: 'send', onclick: pauseChosen }, 'Pause…'),
      ),
    ),
    list.node,
  );
  return { node, close: () => list.stop(), refresh: () => void list.refresh() };
}

/** The target of a pause or a change, as a link if there is a page for it. */
export function targetText({ kind, id }: Target): HTMLElement {
  const hasPage = kind === 'workspace' || kind === 'account';
  return hasPage ? idText(id, `#workspaces/${id}`) : el('code', {}, id);
}
