import { el } from '../../shared/dom.ts';
import { followUpdates, type Update } from '../follow.ts';
import { count, moment } from '../format.ts';
import { showRecord } from '../parts/dialog.ts';
import { Fields } from '../parts/fields.ts';
import { action, idText } from '../parts/marks.ts';
import type { Context, View } from '../view.ts';

const ROWS_MAX = 500;
const TEXT_MAX = 240;

/** The update stream of a workspace, live: it can be filtered, and stopped for reading. */
export function updates({ api, recordId }: Context): View {
  const filters = new Fields(
    'Updates',
    [
      { name: 'workspaceId', label: 'Workspace', placeholder: 'ws_…' },
      { name: 'messengerAccountId', label: 'Account', placeholder: 'any' },
      { name: 'kind', label: 'Kind', placeholder: 'any, such as RawUpdateNewMessage' },
      { name: 'from', label: 'Begin', values: { now: 'With new updates', '-1': 'With the oldest kept' } },
    ],
    { workspaceId: recordId, from: 'now' },
    () => start(),
  );
  const state = el('p', { class: 'note', role: 'status' });
  const pause = el('button', { type: 'button', onclick: () => toggle() }, 'Pause');
  const clear = el('button', { type: 'button', onclick: () => rows.replaceChildren() }, 'Clear');
  const rows = el('ol', { class: 'stream', 'aria-label': 'Updates, the newest first', tabindex: '0' });
  let following = new AbortController();
  /** The updates that are not drawn yet; no more than are shown. */
  let waiting: Update[] = [];
  let isPaused = false;
  let isDrawDue = false;

  function start(): void {
    following.abort();
    following = new AbortController();
    waiting = [];
    rows.replaceChildren();
    if (isPaused) pause.textContent = 'Go on';
    const { workspaceId = '', kind = '', messengerAccountId = '', from = 'now' } = filters.values;
    if (workspaceId === '') {
      say('Type the id of a workspace, or choose one under Workspaces.', false);
      return;
    }
    say('Connecting…', false);
    const wanted = { workspaceId, kind, messengerAccountId, from, onUpdates: take, onState: say };
    void followUpdates(api, wanted, following.signal);
  }
  function say(text: string, isFailure: boolean): void {
    state.textContent = text;
    state.classList.toggle('failed', isFailure);
  }
  function take(found: Update[]): void {
    waiting = [...waiting, ...found].slice(-ROWS_MAX);
    if (isPaused) pause.textContent = `Go on (${count(waiting.length)} new)`;
    else if (!isDrawDue) {
      isDrawDue = true;
      requestAnimationFrame(draw);
    }
  }
  function draw(): void {
    isDrawDue = false;
    if (isPaused) return;
    rows.prepend(...waiting.reverse().map(rowOf));
    waiting = [];
    while (rows.children.length > ROWS_MAX) rows.lastChild?.remove();
  }
  function toggle(): void {
    isPaused = !isPaused;
    pause.textContent = isPaused ? 'Go on' : 'Pause';
    if (!isPaused) draw();
  }

  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Updates'),
    el(
      'p',
      { class: 'lead' },
      `The stream of a workspace, the newest first; the last ${ROWS_MAX} are shown.`,
    ),
    el('div', { class: 'toolbar' }, filters.node, el('p', { class: 'buttons' }, pause, clear)),
    state,
    rows,
  );
  start();
  return { node, close: () => following.abort(), refresh: start, onKey: (key) => key === 'p' && toggle() };
}

function rowOf(update: Update): HTMLElement {
  const { id, kind, timestamp, messengerAccountId } = update;
  return el(
    'li',
    {},
    el('time', { datetime: timestamp }, moment(timestamp)),
    el('strong', {}, kind),
    messengerAccountId === null ? null : idText(messengerAccountId),
    el('code', { class: 'body' }, JSON.stringify(update.update).slice(0, TEXT_MAX)),
    action('Show', id, () => showRecord(kind, update)),
  );
}
