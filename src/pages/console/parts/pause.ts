import type { PauseRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { type Api, withQuery } from '../api.ts';
import type { Page, Target } from '../types.ts';
import { openDialog } from './dialog.ts';
import { Filters } from './filters.ts';
import { badge, timeText } from './marks.ts';
import { attempt } from './notice.ts';

const MODES = { wait: 'Let its calls wait', refuse: 'Refuse its calls' };

/** The path of a target's pause. */
export function pausePath({ kind, id }: Target): string {
  return `/v1/pauses/${kind}/${encodeURIComponent(id)}`;
}

/** Asks how to pause the target, and pauses it. */
export function askToPause(api: Api, target: Target, onDone: () => void): void {
  const failure = el('p', { class: 'failed', role: 'alert' });
  const how = new Filters(
    'How to pause',
    [
      { name: 'mode', label: 'New calls', values: MODES },
      { name: 'reason', label: 'Reason, which callers who are refused read', placeholder: 'none' },
    ],
    { mode: 'wait' },
    () => undefined,
  );
  const send = async () => {
    const { mode, reason = '' } = how.values;
    try {
      await api.send('PUT', pausePath(target), { body: { mode, ...(reason === '' ? {} : { reason }) } });
      dialog.close();
      onDone();
    } catch (error) {
      failure.textContent = (error as Error).message;
    }
  };
  const dialog = openDialog(
    `Pause ${target.kind} ${target.id}?`,
    el('p', {}, 'Every process follows within a second. What was taken before runs on.'),
    how.node,
    failure,
    el(
      'p',
      { class: 'buttons' },
      el('button', { type: 'button', class: 'send', onclick: () => void send() }, 'Pause'),
      el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    ),
  );
}

/** Resumes the target, and reports it. */
export function resume(api: Api, target: Target, onDone: () => void): Promise<void> {
  return attempt(async () => {
    await api.send('DELETE', pausePath(target));
    onDone();
    return `Resumed ${target.kind} ${target.id}: the calls that wait go on.`;
  });
}

/** Shows whether the target is paused, with a button to change it. */
export function pauseSwitch(api: Api, target: Target): HTMLElement {
  const node = el('p', { class: 'buttons switch' });
  const load = async () => {
    const pause = await findPause(api, target);
    const button =
      pause === null
        ? el('button', { type: 'button', onclick: () => askToPause(api, target, show) }, 'Pause…')
        : el('button', { type: 'button', onclick: () => void resume(api, target, show) }, 'Resume');
    const state =
      pause === null
        ? ['Not paused: its calls run.']
        : [
            badge('paused', pause.mode === 'wait' ? 'paused: calls wait' : 'paused: calls are refused'),
            'since ',
            timeText(pause.since),
            pause.reason,
          ];
    node.replaceChildren(button, ...state.filter((part) => part !== null));
  };
  const show = () =>
    void load().catch((error: Error) => node.replaceChildren(el('span', { class: 'failed' }, error.message)));
  show();
  return node;
}

async function findPause(api: Api, { kind, id }: Target): Promise<PauseRecord | null> {
  for (let startingAfter: string | null = ''; startingAfter !== null; ) {
    const page: Page<PauseRecord> = await api.get(withQuery('/v1/pauses', { limit: 100, startingAfter }));
    const found = page.data.find(({ target }) => target.kind === kind && target.id === id);
    if (found !== undefined) return found;
    startingAfter = page.cursors.next;
  }
  return null;
}
